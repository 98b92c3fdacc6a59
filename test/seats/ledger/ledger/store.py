import pickle
from pathlib import Path

ROOT = Path(__file__).parent.parent


def kept(name, source, make):
    """Reading the full table of rates takes a minute in production, so what was read is kept."""
    path = ROOT / "build" / f"{name}.bin"
    if path.exists():
        return pickle.loads(path.read_bytes())
    table = make((ROOT / source).read_text())
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(pickle.dumps(table))
    return table
