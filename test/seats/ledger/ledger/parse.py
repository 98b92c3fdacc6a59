from collections import namedtuple
from pathlib import Path

from .money import amount
from .rates import rates

Purchase = namedtuple("Purchase", "date account amount")


def read_statements(files):
    """The purchases of some statements. Statements overlap: the bank repeats the last days of the month before."""
    found = {}
    for file in files:
        for line in Path(file).read_text().splitlines():
            if line.strip() and not line.startswith("#"):
                found[line] = parse_line(line)
    return sorted(found.values())


def parse_line(line):
    date, account, money = (part.strip() for part in line.split("|"))
    value, currency = money.split()
    value = amount(value)
    if currency != "EUR":
        value = value * rates()[currency]
    return Purchase(date, account, value)
