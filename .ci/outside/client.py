"""One round trip with the client that openapi-python-client generates from the description: read, update, simulate, restore."""

import sys
from http import HTTPStatus

from findwell_client import AuthenticatedClient
from findwell_client.api.account import get_account
from findwell_client.api.analytics import get_search_summary, list_queries
from findwell_client.api.relevance import get_relevance, test_relevance, update_relevance
from findwell_client.api.search import search, search_by_query, send_events
from findwell_client.api.synonyms import create_synonym, delete_synonym, get_synonym, list_synonyms
from findwell_client.models import (
    EventsRequest,
    EventsRequestEventsItem,
    EventsRequestEventsItemType,
    Failure,
    FailureCode,
    ListQueriesKind,
    NewSynonym,
    NewSynonymType,
    RelevanceChange,
    RelevanceChangeBoosts,
    RelevanceTest,
    RelevanceTestBoosts,
    SearchRequest,
    SearchRequestTypesItem,
)

address, key, shopper_key = sys.argv[1:]


def client_with(key: str) -> AuthenticatedClient:
    # A status that is not in the description raises.
    return AuthenticatedClient(base_url=f"{address}/api/v1", token=key, raise_on_unexpected_status=True)


api = client_with(key)


def done(call, *arguments, client=api, **more):
    """Returns the response of a call that must succeed."""
    response = call.sync(*arguments, client=client, **more)
    assert not isinstance(response, Failure), response.message
    assert response.success is True
    return response


def failure_of(status, call, *arguments, client=api, **more) -> Failure:
    """Returns the error of a call that must fail with `status`."""
    response = call.sync_detailed(*arguments, client=client, **more)
    assert response.status_code == status, response
    assert isinstance(response.parsed, Failure)
    return response.parsed


def equal(got, wanted):
    assert got == wanted, f"{got!r} is not {wanted!r}"


me = done(get_account).data
equal([scope.value for scope in me.key.scopes], ["config:write"])
store = me.stores[0].id

# Relevance: a provisional configuration ranks like a saved one, and restoring returns the original.
before = get_relevance.sync_detailed(store, client=api)
saved = before.parsed.data
boosts = saved.boosts.to_dict()
boosts["name"] += 3
trial = RelevanceTest(q="rain jacket", boosts=RelevanceTestBoosts.from_dict(boosts), limit=3)
tried = done(test_relevance, store, body=trial).data
assert tried.config.provisional
equal(tried.config.boosts.name, boosts["name"])
equal(len(tried.hits), 3)
assert all(hit.breakdown.text.matches for hit in tried.hits)
change = RelevanceChange(boosts=RelevanceChangeBoosts.from_dict(boosts))
tag = before.headers["ETag"]
changed = done(update_relevance, store, body=change, if_match=tag).data
equal(changed.overrides.boosts.name, boosts["name"])
equal(failure_of(412, update_relevance, store, body=change, if_match=tag).code, FailureCode.PRECONDITION_FAILED)
back = RelevanceChange(boosts=RelevanceChangeBoosts.from_dict(saved.boosts.to_dict()))
done(update_relevance, store, body=back)
equal(done(get_relevance, store).data, saved)

# Synonyms: created, listed by page, read, deleted.
group = NewSynonym(language="en", type_=NewSynonymType.UNIDIRECTIONAL, input_="mac", terms=["jacket"])
response = create_synonym.sync_detailed(store, client=api, body=group)
equal(response.status_code, HTTPStatus.CREATED)
made = response.parsed.data
equal(made.input_, "mac")
page = done(list_synonyms, store, q="mac", limit=1)
# A list has the records without the advice on them.
record = {name: value for name, value in made.to_dict().items() if name != "advice"}
equal([one.to_dict() for one in page.data], [record])
equal(page.meta.total, 1)
equal(done(delete_synonym, store, made.id).data.id, made.id)
equal(failure_of(404, get_synonym, store, made.id).code, FailureCode.NOT_FOUND)

# An error lists every field and its reason.
wrong = RelevanceChange(boosts=RelevanceChangeBoosts(name=350, tags=-1))
failure = failure_of(400, update_relevance, store, body=wrong)
equal(failure.code, FailureCode.INVALID_REQUEST)
equal([(one.field, bool(one.reason)) for one in failure.errors], [("boosts.name", True), ("boosts.tags", True)])

# The shopper's key can search, and nothing else.
shop = client_with(shopper_key)
products = [SearchRequestTypesItem.PRODUCTS]
found = done(search, client=shop, body=SearchRequest(q="rain jacket", types=products, limit=2)).data
equal(found.products.total, 3)
equal([hit.manufacturer for hit in found.products.hits], ["Harbour", "Harbour"])
# Events refer to its response, and statistics are read with the configuration key.
searched = done(search, client=shop, body=SearchRequest(q="rain")).data.query_id
event = EventsRequestEventsItem(query_id=searched, type_=EventsRequestEventsItemType.CLICK, id="1")
counted = send_events.sync_detailed(client=shop, body=EventsRequest(events=[event, event]))
equal(counted.status_code, HTTPStatus.ACCEPTED)
equal((counted.parsed.data.accepted, counted.parsed.data.ignored), (1, 1))
equal(failure_of(400, send_events, client=shop, body=EventsRequest(id="1")).errors[0].field, "queryId")
assert done(get_search_summary, store).data.searches >= 0
equal(done(list_queries, store, kind=ListQueriesKind.WITHOUT_CLICKS, limit=5).data, [])
same = done(search_by_query, client=shop, q="rain jacket", limit=2).data
equal([hit.id for hit in same.products.hits], [hit.id for hit in found.products.hits])
equal(failure_of(401, get_account, client=shop).code, FailureCode.KEY_KIND)
print("Python client: done")
