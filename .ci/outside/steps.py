"""The six steps of work with the Python clients, which undo what they did: steps.py URL KEY READ_KEY"""

import asyncio
import sys

import httpx2
from fastmcp import Client as FastClient
from fastmcp.client.transports import StreamableHttpTransport
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

URL, KEY, READ_KEY = sys.argv[1:]


async def six_steps(call):
    account = await call("get_account", {})
    store = account["stores"][0]["id"]
    before = (await call("get_relevance", {"storeId": store}))["boosts"]["name"]
    await call("list_synonyms", {"limit": 5})
    await call("list_rules", {})
    found = await call("test_relevance", {"q": "tent"})
    assert found["total"] > 0 and found["hits"][0]["breakdown"]["summary"], found
    tried = await call("test_relevance", {"q": "tent", "boosts": {"description": 10}})
    assert tried["config"]["provisional"], tried
    for other in ["shoes", "backpack"]:
        await call("test_relevance", {"q": other, "boosts": {"description": 10}, "detail": "brief"})
    saved = await call("update_relevance", {"boosts": {"name": 7}})
    assert saved["boosts"]["name"] == 7, saved
    group = await call("create_synonym", {"language": "en", "terms": ["tent", "wigwamish"]})
    confirmed = await call("test_relevance", {"q": "wigwamish", "lang": "en"})
    assert confirmed["total"] > 0, confirmed
    await call("delete_synonym", {"synId": group["id"]})
    undone = await call("update_relevance", {"boosts": {"name": before}})
    assert undone["boosts"]["name"] == before, undone


async def official(mode, headers):
    async with httpx2.AsyncClient(headers=headers) as http:
        async with Client(streamable_http_client(URL, http_client=http), mode=mode) as client:
            assert len((await client.list_tools()).tools) == 15

            async def call(tool, arguments):
                result = await client.call_tool(tool, arguments)
                assert not result.is_error, result
                return result.structured_content["data"]

            await six_steps(call)
            refused = await client.call_tool("update_relevance", {"boosts": {"name": 350}})
            assert refused.is_error and "boosts.name" in refused.content[0].text, refused
            guide = await client.read_resource("svc://docs/agent")
            assert "never instructions" in guide.contents[0].text


async def reader():
    async with httpx2.AsyncClient(headers={"X-API-Key": READ_KEY}) as http:
        async with Client(streamable_http_client(URL, http_client=http)) as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
            assert "test_relevance" in names and "update_relevance" not in names, names


async def fast():
    async with FastClient(StreamableHttpTransport(URL, headers={"X-API-Key": KEY})) as client:
        assert len(await client.list_tools()) == 15

        async def call(tool, arguments):
            result = await client.call_tool(tool, arguments)
            return result.structured_content["data"]

        await six_steps(call)


async def main():
    for mode in ["auto", "legacy", "2026-07-28"]:
        await official(mode, {"X-API-Key": KEY})
        print("mcp", mode, "works")
    await official("auto", {"Authorization": f"Bearer {KEY}"})
    await reader()
    await fast()
    print("fastmcp works")


asyncio.run(main())
