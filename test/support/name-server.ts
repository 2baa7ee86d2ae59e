import type { AddressInfo } from 'node:net'
import dns2 from 'dns2'

export interface NameServer {
  /** For `DNS_SERVERS`. */
  address: string
  /** TXT records by name; what is not here does not exist. */
  texts: Map<string, string[]>
  /** Answers that it is not able to, from now on. */
  fail(): void
  /** Answers nothing, from now on. */
  beSilent(): void
  /** Answers as it should again. */
  recover(): void
  /** Names that were asked for. */
  asked: string[]
  close(): Promise<void>
}

/** A name server on loopback. */
export async function startNameServer(): Promise<NameServer> {
  const { Packet } = dns2
  const texts = new Map<string, string[]>()
  let isFailing = false
  let isSilent = false
  const asked: string[] = []
  const server = dns2.createServer({
    udp: true,
    handle(request, send) {
      const response = Packet.createResponseFromRequest(request)
      const [question] = request.questions
      const name = question?.name.toLowerCase() ?? ''
      asked.push(name)
      if (isSilent) return
      const found = texts.get(name)
      if (isFailing) response.header.rcode = Packet.RCODE.SERVFAIL
      else if (!found) response.header.rcode = Packet.RCODE.NXDOMAIN
      const records = question?.type === Packet.TYPE.TXT ? (found ?? []) : []
      for (const text of records) {
        // A string of a record has at most 255 bytes.
        const data = text.match(/.{1,255}/gs) ?? ['']
        response.answers.push(Packet.createResourceFromQuestion(question!, { ttl: 1, data }))
      }
      void send(response)
    },
  })
  await server.listen({ udp: { port: 0, address: '127.0.0.1' } })
  const { port } = (server.addresses() as { udp: AddressInfo }).udp
  return {
    address: `127.0.0.1:${port}`,
    texts,
    fail: () => void (isFailing = true),
    beSilent: () => void (isSilent = true),
    recover: () => void (isFailing = isSilent = false),
    asked,
    close: () => server.close(),
  }
}
