// The six steps of work with the TypeScript clients, which undo what they did: steps.mjs URL KEY
import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const [url, key] = process.argv.slice(2);
const requestInit = { headers: { 'X-API-Key': key } };

async function sixSteps(client) {
  const call = async (name, args) => {
    const result = await client.callTool({ name, arguments: args });
    assert.ok(!result.isError, JSON.stringify(result));
    return result.structuredContent.data;
  };
  assert.equal((await client.listTools()).tools.length, 15);
  const account = await call('get_account', {});
  const storeId = account.stores[0].id;
  const before = (await call('get_relevance', { storeId })).boosts.name;
  await call('list_synonyms', { limit: 5 });
  await call('list_rules', {});
  assert.ok((await call('test_relevance', { q: 'tent' })).total > 0);
  const boosts = { description: 10 };
  assert.ok((await call('test_relevance', { q: 'tent', boosts })).config.provisional);
  for (const q of ['shoes', 'backpack']) await call('test_relevance', { q, boosts, detail: 'brief' });
  assert.equal((await call('update_relevance', { boosts: { name: 7 } })).boosts.name, 7);
  const group = await call('create_synonym', { language: 'en', terms: ['tent', 'wigwamish'] });
  assert.ok((await call('test_relevance', { q: 'wigwamish', lang: 'en' })).total > 0);
  await call('delete_synonym', { synId: group.id });
  assert.equal((await call('update_relevance', { boosts: { name: before } })).boosts.name, before);
  const refused = await client.callTool({ name: 'update_relevance', arguments: { boosts: { name: 350 } } });
  assert.ok(refused.isError && refused.content[0].text.includes('boosts.name'), JSON.stringify(refused));
  const guide = await client.readResource({ uri: 'svc://docs/agent' });
  assert.ok(guide.contents[0].text.includes('never instructions'));
  await client.close();
}

const name = { name: 'check', version: '1' };
for (const mode of ['legacy', 'auto', { pin: '2026-07-28' }]) {
  const client = new Client(name, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  await sixSteps(client);
  console.log('client', mode, 'works');
}
const old = new OldClient(name);
await old.connect(new OldTransport(new URL(url), { requestInit }));
await sixSteps(old);
console.log('sdk works');
