import sys

from .parse import read_statements
from .report import as_csv, totals


def main(argv):
    command, *files = argv
    purchases = read_statements(files)
    if command == "report":
        for account, amount in sorted(totals(purchases).items()):
            print(f"{account:<12}{amount:>12.2f}")
    elif command == "csv":
        sys.stdout.write(as_csv(purchases))
    else:
        sys.exit(f"unknown command {command}")


main(sys.argv[1:])
