from collections import defaultdict
from decimal import ROUND_HALF_UP, Decimal

CENT = Decimal("0.01")


def totals(purchases):
    sums = defaultdict(Decimal)
    for purchase in purchases:
        sums[purchase.account] += purchase.amount
    return {account: total.quantize(CENT, ROUND_HALF_UP) for account, total in sums.items()}


def as_csv(purchases):
    lines = [f"{date};{account};{amount.quantize(CENT, ROUND_HALF_UP)}" for date, account, amount in purchases]
    return "\n".join(["date;account;amount", *lines]) + "\n"
