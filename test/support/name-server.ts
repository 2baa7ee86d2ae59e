import { isIP, type AddressInfo } from 'node:net'
import dns2 from 'dns2'

export interface NameServer {
  /** For `DNS_SERVERS`. */
  address: string
  /** TXT records by name; what is neither here nor in `addresses` does not exist. */
  texts: Map<string, string[]>
  /** Addresses of both families by name, one answer after the other; the last one is repeated. */
  addresses: Map<string, readonly (readonly string[])[]>
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
  const addresses: NameServer['addresses'] = new Map()
  const given = new Map<string, number>()
  /** Takes the next answer for a name: each family has its own turn, since both are asked for at once. */
  const nextAddresses = (name: string, family: 4 | 6): string[] => {
    const answers = addresses.get(name) ?? []
    const turn = given.get(`${name} ${family}`) ?? 0
    given.set(`${name} ${family}`, turn + 1)
    return (answers[Math.min(turn, answers.length - 1)] ?? []).filter((each) => isIP(each) === family)
  }
  let isFailing = false
  let isSilent = false
  const asked: string[] = []
  const recordsOf = (name: string, type: number): object[] => {
    if (type === Packet.TYPE.A) return nextAddresses(name, 4).map((address) => ({ address }))
    if (type === Packet.TYPE.AAAA) return nextAddresses(name, 6).map((address) => ({ address }))
    // A string of a record has at most 255 bytes.
    const parts = (text: string): string[] => text.match(/.{1,255}/gs) ?? ['']
    return type === Packet.TYPE.TXT ? (texts.get(name) ?? []).map((text) => ({ data: parts(text) })) : []
  }
  const resourceOf = (question: dns2.Packet.Question, record: object) =>
    Packet.createResourceFromQuestion(question, { ttl: 1, ...record })
  const server = dns2.createServer({
    udp: true,
    handle(request, send) {
      const response = Packet.createResponseFromRequest(request)
      const [question] = request.questions
      const name = question?.name.toLowerCase() ?? ''
      asked.push(name)
      if (isSilent) return
      if (isFailing) response.header.rcode = Packet.RCODE.SERVFAIL
      else if (!texts.has(name) && !addresses.has(name)) response.header.rcode = Packet.RCODE.NXDOMAIN
      else for (const data of recordsOf(name, question!.type)) response.answers.push(resourceOf(question!, data))
      void send(response)
    },
  })
  await server.listen({ udp: { port: 0, address: '127.0.0.1' } })
  const { port } = (server.addresses() as { udp: AddressInfo }).udp
  return {
    address: `127.0.0.1:${port}`,
    texts,
    addresses,
    fail: () => void (isFailing = true),
    beSilent: () => void (isSilent = true),
    recover: () => void (isFailing = isSilent = false),
    asked,
    close: () => server.close(),
  }
}
