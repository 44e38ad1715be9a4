"""Writes the description as it applies to one store: of_store.py DESCRIPTION ADDRESS KEY STORE FOLDER.

`open.json` adds the languages, fields and records of the store, which are not in the description. `sound.json` is also
narrowed to what schemas can express, so that every request that fits it must be accepted.
"""

import json
import sys
import urllib.request
from pathlib import Path

LANGUAGES = ["en", "es"]
GROUPS = ["attributes.1", "features.2"]
VALUES = ["manufacturer", "supplier", "categories", "tags", "inStock", "discount", *GROUPS]

description, address, key, store, folder = sys.argv[1:]
document = json.loads(Path(description).read_text(encoding="utf-8"))
schemas = document["components"]["schemas"]


def made(collection, **record):
    """Creates a record of the store and returns its id."""
    url = f"{address}/api/v1/stores/{store}/{collection}"
    headers = {"X-API-Key": key, "Content-Type": "application/json"}
    request = urllib.request.Request(url, json.dumps(record).encode(), headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)["data"]["id"]


def at(name, *keys):
    """Returns the schema of a nested key of an input; where null may unset it, the schema of the value."""
    schema = schemas[name]
    for key in keys:
        if "anyOf" in schema and key not in schema.get("properties", {}):
            schema = next(one for one in schema["anyOf"] if one.get("type") != "null")
        schema = schema["items"] if key == "[]" else schema["properties"][key]
    return schema


def parameter(method, path, name):
    """Returns the schema of a parameter; objects are JSON text."""
    parameters = document["paths"][path][method]["parameters"]
    found = next(one for one in parameters if one.get("name") == name)
    return found["schema"] if "schema" in found else found["content"]["application/json"]["schema"]


def searched_filters():
    """Returns the schemas of the filters of a search."""
    default = at("WidgetPatch", "defaultSearch", "filters")
    return [at("SearchRequest", "filters"), parameter("get", "/search", "filters"), default]


def name_records():
    hidden = {"query": "old", "match": "exact"}
    records = {
        "synonyms/{synId}": made("synonyms", language="en", type="UNIDIRECTIONAL", input="mac", terms=["jacket"]),
        "rules/{ruleId}": made("rules", name="Old", type="HIDE", trigger=hidden, actions={"hide": ["9"]}),
        "filters/{filterId}": made("filters", field="manufacturer"),
    }
    for place, record in records.items():
        name = place[place.index("{") + 1 : -1]
        for method in ["get", "put"]:
            parameter(method, f"/stores/{{id}}/{place}", name)["enum"] = [record]
    for item in document["paths"].values():
        for operation in item.values():
            for one in operation.get("parameters", []):
                if one.get("name") == "id":
                    one["schema"]["enum"] = [store]
                # The examples of the description name records of another store.
                if one.get("in") == "path":
                    one.pop("example")


def name_languages_and_fields():
    for name in ["SearchRequest", "SuggestRequest", "RelevanceTest"]:
        at(name, "lang")["enum"] = LANGUAGES
    product = "/stores/{id}/products/{productId}"
    analytics = ["/stores/{id}/analytics/queries", "/stores/{id}/analytics/summary"]
    for path in ["/search", "/suggest", "/stores/{id}/filters/values", product, *analytics]:
        parameter("get", path, "lang")["enum"] = LANGUAGES
    for path in analytics:
        # Days are over, and the last one is not before the first.
        parameter("get", path, "from")["enum"] = ["2026-01-01", "2026-01-02"]
        parameter("get", path, "to")["enum"] = ["2026-01-02", "2026-02-28"]
    parameter("get", "/stores/{id}/filters/values", "field")["enum"] = VALUES
    for filters in searched_filters():
        values = filters["properties"]["tags"]
        filters["properties"].update({group: values for group in GROUPS})
        filters["additionalProperties"] = False


def halve(schema):
    """Restricts a range so that its lower bound is not above its upper one."""
    schema["properties"]["min"]["maximum"] = 10
    schema["properties"]["max"]["minimum"] = 10


def narrow():
    word, words = {"pattern": "^[a-z]{3,12}$"}, {"pattern": "^[a-z]{3,9}( [a-z]{3,9})?$"}
    # Page times hits per page has a limit.
    listed = parameter("get", "/stores/{id}/analytics/queries", "page")
    for page in [at("SearchRequest", "page"), parameter("get", "/search", "page"), listed]:
        page["maximum"] = 100
    for filters in searched_filters():
        for field in ["price", "rating", "feature_num"]:
            halve(filters["properties"][field])
    # Terms are compared as words, without case and accents.
    for name in ["NewSynonym", "SynonymPatch"]:
        at(name, "terms")["items"].update(word)
        at(name, "terms")["uniqueItems"] = True
        at(name, "input").update(word)
    # A regular expression has a grammar, a date a calendar, and one date comes before the other.
    for name in ["NewRule", "RulePatch"]:
        at(name, "trigger", "query").update(words)
        at(name, "startDate")["enum"] = ["2026-11-20", "2026-11-20T15:00:00Z", "2026-11-20T15:00:00.5+02:00"]
        at(name, "endDate")["enum"] = ["2026-11-21", "2027-02-28T15:00"]
        at(name, "timeZone")["enum"] = ["UTC", "Europe/Madrid"]
        halve(at(name, "actions", "boost", "[]"))
        for field in ["price", "rating", "feature_num"]:
            halve(at(name, "actions", "filter")["properties"][field])
    # The kind of a record cannot change.
    at("SynonymPatch", "type")["enum"] = ["UNIDIRECTIONAL"]
    at("RulePatch", "type")["enum"] = ["HIDE"]
    at("RulePatch", "actions")["required"] = ["hide"]
    at("FilterPatch", "field")["enum"] = ["manufacturer"]
    at("FilterPatch", "type")["enum"] = ["list"]
    # A value is in one group only.
    for name in ["NewFilter", "FilterPatch"]:
        at(name, "config", "valueGroups")["maxItems"] = 1
    # Colours have names, and few functions are allowed in a style.
    patch = schemas["WidgetPatch"]["properties"]
    for key in ["theme", "position"]:
        patch[key].update(word)
    patch["colors"]["additionalProperties"] = {"enum": ["#1a2b3c", "Teal", "rgb(26 43 60 / 50%)"]}
    patch["typography"]["additionalProperties"].update(words)
    patch["features"]["additionalProperties"].update(word)
    patch["features"]["maxProperties"] = 3
    # Drafts and configuration files name records and revisions of stores, and lists of watched queries have languages of it.
    drafts = ("/relevance/test", "/changes", "/restore", "/proposals", "/watched", "/configuration")
    for path in list(document["paths"]):
        if "/preview" in path or path.endswith(drafts):
            del document["paths"][path]
    # A note may be percent-encoded; what it is then, no pattern says.
    document["components"]["parameters"]["X-Change-Note"]["schema"]["enum"] = ["Why", "Recogida%20n%C2%BA%203"]
    # Whether a tag matches depends on what is stored; without one, every write succeeds. A write by force needs a note.
    for item in document["paths"].values():
        for operation in item.values():
            if "parameters" in operation:
                tag = {"$ref": "#/components/parameters/If-Match"}
                kept = [one for one in operation["parameters"] if one != tag and one.get("name") != "force"]
                operation["parameters"] = kept
    # A run is used for its scopes: here for all.
    for key, all_of in [("types", 4), ("languages", len(LANGUAGES))]:
        at("NewRun", key).update(minItems=all_of, uniqueItems=True)
    at("NewRun", "languages", "[]")["enum"] = LANGUAGES
    for name, keys in [("Block", []), ("Touch", []), ("RunClose", ["scopes", "[]"])]:
        at(name, *keys, "language")["enum"] = LANGUAGES
    at("RunClose", "scopes")["maxItems"] = 1
    at("NewIndices", "languages", "[]", "code")["enum"] = LANGUAGES
    # Codes and ids of a list are unique, and those that another key refers to exist.
    for name, key in [("NewIndices", "languages"), ("Currencies", "currencies"), ("PriceTiers", "tiers")]:
        at(name, key)["maxItems"] = 1
    at("PriceCountries", "countries")["maxItems"] = 1
    at("PriceCountries", "base")["enum"] = ["es"]
    at("PriceCountries", "countries", "[]", "iso")["enum"] = ["fr", "pt"]
    at("AccessGroups", "groups")["maxItems"] = 1
    at("AccessGroups", "groups", "[]", "id")["enum"] = ["1"]
    at("AccessGroups", "visitorGroup")["enum"] = ["1"]


name_records()
name_languages_and_fields()
(Path(folder) / "open.json").write_text(json.dumps(document), encoding="utf-8")
narrow()
(Path(folder) / "sound.json").write_text(json.dumps(document), encoding="utf-8")
