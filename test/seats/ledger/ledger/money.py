from decimal import Decimal


def amount(text):
    """`1.234,50` as the bank writes it."""
    return Decimal(text.replace(".", "").replace(",", "."))
