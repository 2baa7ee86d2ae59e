"""Watches the queue of the signed-in user's channels over graphql-transport-ws, and survives restarts and lost networks:
    TOKEN=... python3 examples/watch_queue.py
Needs the package websockets (Debian: python3-websockets)."""
import asyncio, json, os, random, sys

import websockets

URL = os.environ.get("SERVER_URL", "http://localhost:4000").replace("http", "ws", 1) + "/graphql"
TOKEN = os.environ["TOKEN"]
ENTRY = "{ id channel conversation name contactName preview }"
QUERY = """subscription ($after: String) { queue(after: $after) {
  __typename ... on StreamEvent { cursor }
  ... on QueueSnapshot { resync entries %(e)s } ... on QueueEntryAdded { entry %(e)s }
  ... on QueueEntryChanged { entry %(e)s } ... on QueueEntryRemoved { channel conversation }
} }""" % {"e": ENTRY}
# After these the same request fails again: credentials, protocol, a document that is wrong.
FINAL = {4400, 4401, 4403, 4406, 4409}


class Queue:
    def __init__(self):
        self.entries = {}
        self.cursor = None

    def apply(self, event):
        kind = event["__typename"]
        if kind == "QueueSnapshot":  # Also with `resync`: it replaces everything.
            self.entries = {(e["channel"], e["conversation"]): e for e in event["entries"]}
        elif kind == "QueueEntryRemoved":
            self.entries.pop((event["channel"], event["conversation"]), None)
        else:
            entry = event["entry"]
            self.entries[(entry["channel"], entry["conversation"])] = entry
        self.cursor = event["cursor"]  # Kept together with what it stands for.
        print(json.dumps({"event": kind, "waiting": [e["preview"] for e in self.entries.values()]}), flush=True)


async def watch(queue):
    async with websockets.connect(URL, subprotocols=["graphql-transport-ws"], max_size=None) as socket:
        send = lambda message: socket.send(json.dumps(message))
        await send({"type": "connection_init", "payload": {"authorization": f"Bearer {TOKEN}"}})
        async for text in socket:
            message = json.loads(text)
            if message["type"] == "connection_ack":
                payload = {"query": QUERY, "variables": {"after": queue.cursor}}
                await send({"id": "queue", "type": "subscribe", "payload": payload})
            elif message["type"] == "next":
                queue.apply(message["payload"]["data"]["queue"])
            elif message["type"] == "ping":
                await send({"type": "pong"})
            elif message["type"] in ("error", "complete"):  # The subscription is over, and not the connection.
                sys.exit(f"the server ended it: {message.get('payload')}")


async def main():
    queue, failures = Queue(), 0
    while True:
        before = queue.cursor
        try:
            await watch(queue)
        except websockets.ConnectionClosed as closed:
            if closed.code in FINAL:
                sys.exit(f"closed with {closed.code}: {closed.reason}")
        except (OSError, websockets.InvalidHandshake):
            pass
        failures = 0 if queue.cursor != before else failures + 1
        await asyncio.sleep(min(15, 0.25 * 2**failures) * random.uniform(0.5, 1))


asyncio.run(main())
