import unittest
from decimal import Decimal

from ledger.parse import parse_line, read_statements
from ledger.report import as_csv, totals


class Parse(unittest.TestCase):
    def test_amount_of_the_bank(self):
        self.assertEqual(parse_line("2026-03-02 | travel | 1.234,50 EUR").amount, Decimal("1234.50"))

    def test_overlapping_statements_are_counted_once(self):
        both = read_statements(["data/2026-03.txt", "data/2026-04.txt"])
        self.assertEqual(sum(one.date == "2026-03-30" for one in both), 1)

    def test_csv_has_a_head(self):
        self.assertTrue(as_csv([]).startswith("date;account;amount\n"))

    def test_totals_are_rounded_once(self):
        self.assertEqual(totals(read_statements(["data/2026-04.txt"]))["groceries"], Decimal("101.34"))
