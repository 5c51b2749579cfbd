"""Whether the service judges rows as frictionless does. See README.md beside this file."""

import argparse
import collections
import csv
import json
import pathlib
import random
import signal
import urllib.request
import uuid

import exrex
import rfc3986.exceptions  # frictionless looks it up without importing it
from frictionless import Checklist, Dialect, Resource, Schema, formats

# Values that people write in the place of others, whatever the field is.
OTHERS = (
    ["", " ", "abc", "é", "0", "1", "-1", "+5", "007", "12", "12.5", "12,5", ".5", "5.", "1e3", "1 000", "1,000"]
    + ["12 %", "12 €", "3.0", "99999999999999999999", "true", "True", "TRUE", "false", "vrai", "VRAI", "oui", "Oui"]
    + ["non", "o", "N", "x", "yes", "2024-12-31", "2024-2-3", "2024-02-30", "31/12/2024", "31/12/24", "12/31/2024"]
    + ["20241231", "2024", "24", "2024-12", "2024-13", "2024-12-31T10:00:00", "2024-12-31T10:00:00Z", "10:30:00"]
    + ["2024-12-31 10:00", "2024-12-31T10:00:00+02:00", "10:30", "25:00:00", "P1D", "PT2H30M", "P", "4.8,45.7"]
    + ["45.7", "190,4", "[4.8, 45.7]", "[]", "[1, 2]", '["a"]', "{}", '{"a": 1}', "[1", "a@b.fr", "a@b", "a b@c.fr"]
    + ["https://example.org/é", "https://example.org", "http:// example.org", "example.org", "www.example.org"]
    + ["6f1e4d0a-0d43-4c36-8d53-0b3a3a6f2f0e", "6F1E4D0A-0D43-4C36-8D53-0B3A3A6F2F0E", "NA", "N/A", "NaN", "-"]
    + ["null", "NULL", "n/a", "NC", "inconnu", "une phrase de plusieurs mots", "x" * 300]
)

USUAL = {
    "string": ["texte", "75056", "Lyon"],
    "uri": ["https://example.org/a?b=c", "http://www.example.fr"],
    "email": ["a.b@example.fr"],
    "uuid": ["6f1e4d0a-0d43-4c36-8d53-0b3a3a6f2f0e"],
    "any": ["texte"],
    "integer": ["12", "1", "2024", "100"],
    "number": ["12.5", "1", "2024", "100"],
    "boolean": ["true", "false"],
    "date": ["2024-12-31", "2023-01-05"],
    "datetime": ["2024-12-31T10:00:00Z"],
    "time": ["10:30:00"],
    "year": ["2024"],
    "yearmonth": ["2024-12"],
    "duration": ["P1D"],
    "geopoint": ["4.8,45.7", "[4.8, 45.7]", '{"lon": 4.8, "lat": 45.7}'],
    "geojson": ['{"type": "Point", "coordinates": [4.8, 45.7]}'],
    "array": ["[]", '["a"]'],
    "object": ["{}", '{"a": 1}'],
}


def plain(given):
    """The schema without what frictionless refuses although it says nothing of rows; None: there is no such."""
    given = json.loads(json.dumps(given))
    for field in given["fields"]:
        field.pop("example", None)
        if not isinstance(field.get("constraints", {}), dict):
            return None
    try:
        Schema.from_descriptor(given)
    except Exception:
        return None
    return given


def texts_of(example):
    if isinstance(example, list):
        return [text for each in example for text in texts_of(each)] + [json.dumps(example)]
    return [example if isinstance(example, str) else json.dumps(example, ensure_ascii=False)]


class TooLong(Exception):
    pass


def too_long(*_):
    raise TooLong


def judged(field, text):
    """Whether a field takes a text; None: some patterns take for ever in the way that Python tries them."""
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        try:
            value, notes = field.read_cell(text)
            return value is not None and not notes
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except TooLong:
        return None
    except Exception:
        return False


def good_values(field, described, rng):
    constraints = described.get("constraints") or {}
    known = [text for key in ("example", "examples") if key in described for text in texts_of(described[key])]
    known += [text for each in constraints.get("enum", []) for text in texts_of(each)]
    known += described.get("trueValues", []) + described.get("falseValues", [])
    known += [str(constraints[key]) for key in ("minimum", "maximum") if key in constraints]
    known += USUAL.get(described.get("format"), []) + USUAL.get(described.get("type", "string"), [])
    if "pattern" in constraints:
        for _ in range(4):
            try:
                random.seed(rng.random())
                known.append(exrex.getone(str(constraints["pattern"]), 12))
            except Exception:
                break
    usable = [text for text in dict.fromkeys(known) if text.strip() and judged(field, text)]
    return usable[:30] or [text for text in OTHERS if text.strip() and judged(field, text)][:3]


def mutations(text, rng):
    """Small changes, as hands make them."""
    yield from (text + " ", " " + text, text.upper(), text.lower(), text.title(), text + text, text[:-1], text[1:])
    yield from (text + "x", text.replace("-", "/"), text.replace(".", ","), text.replace(",", ";"), f"{text}, {text}")
    for _ in range(6):
        at = rng.randrange(len(text) + 1)
        sign = rng.choice("0123456789abcXYZé -/.,;:'|@_")
        yield text[:at] + sign + text[at + rng.randrange(2) :]
        if len(text) > 1:
            at = rng.randrange(len(text) - 1)
            yield text[:at] + text[at + 1] + text[at] + text[at + 2 :]


def rows_of(schema, given, most, rng):
    """Rows with one changed cell each: (row, number of the column, what was there)."""
    values = [good_values(field, each, rng) for field, each in zip(schema.fields, given["fields"])]
    keys = set(schema.primary_key) | {f.name for f in schema.fields if f.constraints.get("unique")}
    keyless = {key: each for key, each in given.items() if key not in ("primaryKey", "foreignKeys")}
    for field in keyless["fields"]:
        (field.get("constraints") or {}).pop("unique", None)
    made = []
    for at, field in enumerate(schema.fields):
        wrong = list(OTHERS)
        for text in rng.sample(values[at], min(4, len(values[at]))):
            wrong += mutations(text, rng)
        made += [(at, text) for text in dict.fromkeys(wrong)]
    rng.shuffle(made)
    rows = []
    for at, text in made[:most]:
        if judged(schema.fields[at], text) is None:
            continue
        row = [rng.choice(each) if each else "" for each in values]
        row[at] = text
        rows.append((row, at))
    return keyless, rows, len(keys)


def write(path, names, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(names)
        out.writerows(row for row, _ in rows)


def theirs(path, given):
    dialect = Dialect(controls=[formats.CsvControl(delimiter=",")])
    resource = Resource(path=path.name, basepath=str(path.parent), schema=Schema.from_descriptor(given), dialect=dialect)
    report = resource.validate(Checklist(), limit_errors=10**9)
    bad = collections.defaultdict(list)
    for error in report.tasks[0].errors:
        if not hasattr(error, "row_number"):
            raise ValueError(error.message)
        bad[error.row_number - 1].append([getattr(error, "field_name", ""), getattr(error, "cell", ""), f"{error.type}: {error.note}"])
    return bad


class Service:
    def __init__(self, address, token):
        self.address, self.token = address, token

    def ask(self, path, body, kind):
        request = urllib.request.Request(self.address + path, data=body, method="POST")
        request.add_header("X-App-Access-Token", self.token)
        request.add_header("Content-Type", kind)
        request.add_header("Accept-Language", "en")
        try:
            with urllib.request.urlopen(request) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            return json.load(error)

    def shape(self, given):
        body = {"name": str(uuid.uuid4()), "tableSchema": given}
        return self.ask("/shapes", json.dumps(body).encode(), "application/json")

    def check(self, path, shape):
        edge = uuid.uuid4().hex
        fields = {"shapeUuid": shape, "options": json.dumps({"delimiter": ","})}
        parts = [f'--{edge}\r\nContent-Disposition: form-data; name="{k}"\r\n\r\n{v}\r\n' for k, v in fields.items()]
        parts.append(f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="rows.csv"\r\n\r\n')
        body = "".join(parts).encode() + path.read_bytes() + f"\r\n--{edge}--\r\n".encode()
        return self.ask("/sources/check", body, f"multipart/form-data; boundary={edge}")


def ours(service, path, shape):
    answer = service.check(path, shape)
    if "errors" not in answer or "rows" not in answer:
        raise ValueError(json.dumps(answer, ensure_ascii=False)[:500])
    if answer["totalErrors"] > len(answer["errors"]):
        raise ValueError("too many errors to see each")
    bad = collections.defaultdict(list)
    for error in answer["errors"]:
        bad[error["row"]].append([error.get("column"), error["value"], error["message"]])
    return bad


def main():
    asked = argparse.ArgumentParser()
    asked.add_argument("schemas", type=pathlib.Path, help="folder of Table Schemas")
    asked.add_argument("--address", default="http://127.0.0.1:3000")
    asked.add_argument("--token", required=True)
    asked.add_argument("--rows", type=int, default=700, help="of each schema")
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--work", type=pathlib.Path, default=pathlib.Path("/tmp"))
    asked.add_argument("--out", type=pathlib.Path, help="a line of JSON for each row that is judged otherwise")
    args = asked.parse_args()
    service = Service(args.address, args.token)
    signal.signal(signal.SIGALRM, too_long)
    total = same = refused = taken = 0
    found = []
    for place in sorted(args.schemas.glob("*.json")):
        rng = random.Random(f"{args.seed} {place.name}")
        read = json.loads(place.read_text())
        given = plain(read)
        if given is None:
            refused += 1
            continue
        schema = Schema.from_descriptor(given)
        keyless, rows, _ = rows_of(schema, read | given, args.rows, rng)
        keyless["fields"] = [{k: v for k, v in each.items() if k != "example"} for each in keyless["fields"]]
        shape = service.shape(keyless)
        if "uuid" not in shape:
            print(f"{place.name}: not taken: {json.dumps(shape, ensure_ascii=False)[:300]}")
            continue
        taken += 1
        names = [field.name for field in schema.fields]
        for start in range(0, len(rows), 300):
            some = rows[start : start + 300]
            path = args.work / "rows.csv"
            write(path, names, some)
            try:
                one, other = theirs(path, keyless), ours(service, path, shape["uuid"])
            except Exception as error:
                print(f"{place.name}: {type(error).__name__}: {str(error)[:300]}")
                continue
            for number, (row, at) in enumerate(some, 1):
                total += 1
                if (number in one) == (number in other):
                    same += 1
                    continue
                name = (one.get(number) or other.get(number))[0][0]
                field = next((each for each in keyless["fields"] if each["name"] == name), {})
                field = {k: v for k, v in field.items() if k not in ("description", "title")}
                found.append(
                    {"schema": place.name, "field": field, "cell": row[names.index(field["name"])] if field else row, "theirs": one.get(number), "ours": other.get(number)}
                )
    print(f"{taken} schemas taken, {refused} that frictionless refuses, {total} rows, {same} alike: {100 * same / max(total, 1):.3f} %")
    if args.out:
        args.out.write_text("".join(json.dumps(each, ensure_ascii=False) + "\n" for each in found))


main()
