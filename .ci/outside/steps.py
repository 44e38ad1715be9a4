"""The six steps of the guide for agents with the Python clients, undone at the end: steps.py URL KEY READ_KEY"""

import asyncio
import sys

import httpx2
from fastmcp import Client as FastClient
from fastmcp.client.transports import StreamableHttpTransport
from fastmcp.exceptions import ToolError
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

URL, KEY, READ_KEY = sys.argv[1:]
BOOSTS = {"name": 1, "description": 12}
WRITE_TOOLS = {
    "update_relevance", "create_synonym", "update_synonym", "delete_synonym", "import_synonyms_csv",
    "create_rule", "update_rule", "delete_rule",
}  # fmt: skip


def same(left, right):
    assert left == right, f"{left}\n{right}"


async def configuration(call):
    """Everything that tools can configure."""
    tools = ["get_relevance", "list_synonyms", "list_rules", "list_filters"]
    return {tool: await call(tool, {}) for tool in tools}


async def ranking(call, q, **more):
    found = await call("test_relevance", {"q": q, "lang": "en", **more})
    return [(hit["id"], hit["score"]) for hit in found["hits"]]


async def six_steps(call):
    # 1. Which store, and may it be changed?
    account = await call("get_account", {})
    store = account["stores"][0]["id"]
    assert "config:write" in account["key"]["scopes"], account
    # 2. Read what is configured.
    before = await configuration(call)
    # 3. Reproduce: why is the first hit first, and what is not found?
    found = await call("test_relevance", {"storeId": store, "q": "warm jacket", "lang": "en"})
    assert len(found["hits"]) == 10 and not found["config"]["provisional"], found
    first = found["hits"][0]
    assert first["score"] > 0 and "jacket" in first["breakdown"]["summary"], first
    ranked = await ranking(call, "warm jacket")
    same(await ranking(call, "wigwamish"), [])
    # 4. Simulate, compare, and test other queries.
    tried = await call("test_relevance", {"q": "warm jacket", "lang": "en", "boosts": BOOSTS})
    assert tried["config"]["provisional"], tried
    assert any(hit["position"] != hit.get("savedPosition") for hit in tried["hits"]), tried
    same((await call("get_relevance", {}))["overrides"], before["get_relevance"]["overrides"])
    others = {}
    for q in ["shoes", "backpack"]:
        others[q] = await ranking(call, q, boosts=BOOSTS, detail="brief")
        assert others[q]
    # 5. Save. Omitted values stay, also those saved before.
    for name, boost in BOOSTS.items():
        saved = await call("update_relevance", {"boosts": {name: boost}})
    same(saved["boosts"], before["get_relevance"]["boosts"] | BOOSTS)
    group = await call("create_synonym", {"language": "en", "terms": ["tent", "wigwamish"]})
    imported = await call("import_synonyms_csv", {"language": "en", "csv": "teepeeish => tent\nalone"})
    same((imported["created"], imported["errors"][0]["line"]), (1, 2))
    pin = {
        "name": "Check", "language": "en", "type": "PIN", "actions": {"pin": [first["id"]]},
        "trigger": {"query": "tent", "match": "exact"},
    }  # fmt: skip
    rule = await call("create_rule", pin)
    # 6. Confirm.
    same(await ranking(call, "warm jacket"), [(hit["id"], hit["score"]) for hit in tried["hits"]])
    for q, expected in others.items():
        same(await ranking(call, q, detail="brief"), expected)
    assert await ranking(call, "wigwamish") and await ranking(call, "teepeeish")
    pinned = await call("test_relevance", {"q": "tent", "lang": "en", "applyRules": True})
    same((pinned["hits"][0]["id"], pinned["rules"][0]["id"]), (first["id"], rule["id"]))
    # Change it again, and undo it.
    changed = await call("update_rule", {"ruleId": rule["id"], "active": False})
    same((await call("get_rule", {"ruleId": rule["id"]}))["status"], changed["status"])
    assert (await ranking(call, "tent", applyRules=True))[0][0] != first["id"]
    same(await call("delete_rule", {"ruleId": rule["id"]}), {"id": rule["id"]})
    same((await call("update_synonym", {"synId": group["id"], "active": False}))["active"], False)
    same(await ranking(call, "wigwamish"), [])
    await call("delete_synonym", {"synId": group["id"]})
    one_way = await call("list_synonyms", {"q": "teepeeish"})
    await call("delete_synonym", {"synId": one_way[0]["id"]})
    saved = before["get_relevance"]["boosts"]
    await call("update_relevance", {"boosts": {name: saved[name] for name in BOOSTS}})
    same(await configuration(call), before)
    same(await ranking(call, "warm jacket"), ranked)


def refusal(text):
    assert "boosts.name" in text and "between 0 and 200" in text and "nextStep" in text, text


async def official(mode, headers):
    async with httpx2.AsyncClient(headers=headers) as http:
        async with Client(streamable_http_client(URL, http_client=http), mode=mode) as client:
            same(len((await client.list_tools()).tools), 15)

            async def call(tool, arguments):
                result = await client.call_tool(tool, arguments)
                assert not result.is_error, result
                return result.structured_content["data"]

            await six_steps(call)
            refused = await client.call_tool("update_relevance", {"boosts": {"name": 350}})
            assert refused.is_error, refused
            refusal(refused.content[0].text)
            try:
                await client.call_tool("drop_store", {})
                raise AssertionError("an unknown tool was called")
            except MCPError as error:
                assert "drop_store" in str(error), error
            guide = await client.read_resource("svc://docs/agent")
            assert "never instructions" in guide.contents[0].text


async def reader():
    async with httpx2.AsyncClient(headers={"X-API-Key": READ_KEY}) as http:
        async with Client(streamable_http_client(URL, http_client=http)) as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
            assert "test_relevance" in names and not names & WRITE_TOOLS, names
            for tool in WRITE_TOOLS:
                refused = await client.call_tool(tool, {})
                assert refused.is_error and "config:write" in refused.content[0].text, refused


async def fast():
    async with FastClient(StreamableHttpTransport(URL, headers={"X-API-Key": KEY})) as client:
        same(len(await client.list_tools()), 15)

        async def call(tool, arguments):
            result = await client.call_tool(tool, arguments)
            return result.structured_content["data"]

        await six_steps(call)
        try:
            await client.call_tool("update_relevance", {"boosts": {"name": 350}})
            raise AssertionError("a boost of 350 was saved")
        except ToolError as error:
            refusal(str(error))


async def main():
    for mode in ["auto", "legacy", "2026-07-28"]:
        await official(mode, {"X-API-Key": KEY})
        print("mcp", mode, "works")
    await official("auto", {"Authorization": f"Bearer {KEY}"})
    print("mcp with a bearer works")
    await reader()
    print("mcp with a reader's key works")
    await fast()
    print("fastmcp works")


asyncio.run(main())
