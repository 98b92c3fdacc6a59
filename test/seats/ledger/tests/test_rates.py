import unittest
from decimal import Decimal

from ledger.parse import parse_line


class Rates(unittest.TestCase):
    def test_yen(self):
        self.assertEqual(parse_line("2026-03-17 | travel | 25.000 JPY").amount, Decimal("139.025"))

    def test_dollar(self):
        self.assertEqual(parse_line("2026-03-17 | travel | 100,00 USD").amount, Decimal("85.3112"))
