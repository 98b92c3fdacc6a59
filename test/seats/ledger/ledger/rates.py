"""What one unit of a currency is worth in euro."""

from decimal import Decimal

from .store import kept


def rates():
    return kept("rates", "data/rates.csv", read)


def read(text):
    table = {}
    for line in text.splitlines()[1:]:
        currency, value = line.split(";")
        table[currency] = Decimal(value).quantize(Decimal("0.0001"))
    return table
