import { createHmac } from 'node:crypto'
import { startProvider, CUT, type Fault, type ProviderReply } from '../provider.js'
import type { CertifiedProvider } from './certified-provider.js'
import { installParrot } from './parrot-adapter.js'

const PARAMS = { token: 'token-of-the-parrot', signingSecret: 'secret-of-the-parrot' }

/** The far side of the example of `docs/guide/adapters.md`. */
export async function startParrot(): Promise<CertifiedProvider> {
  const sent: { person: string; text: string }[] = []
  const lies: ProviderReply[] = []
  const provider = await startProvider(({ headers, body }) => {
    if (headers.authorization !== `Bearer ${PARAMS.token}`) return { status: 401, body: '{}' }
    const { to, text } = JSON.parse(body.toString()) as { to: string; text: string }
    sent.push({ person: to, text })
    return lies.shift() ?? { status: 200, body: JSON.stringify({ id: `parrot-${sent.length}` }) }
  })
  const faults: Readonly<Record<string, Fault>> = {
    busy: { status: 429 },
    busyWithTime: { status: 429, headers: { 'retry-after': '1' } },
    away: { status: 503, headers: { 'retry-after': '1' } },
    refused: { status: 400 },
  }
  return {
    type: 'parrot',
    touchpoints: { parrot: installParrot },
    makeService: (fixture) => fixture.makeService('parrot', { ...PARAMS, apiUrl: provider.url }),
    person: (number) => `parrot-${number}`,
    async tell({ url }, { id, person, text }, accident) {
      const more = accident === 'unknownFields' ? { of_next_year: { some: ['thing'] } } : {}
      const raw = JSON.stringify({ events: [{ id, from: person, text, ...more }], ...more })
      const secret = accident === 'unsigned' ? 'another' : PARAMS.signingSecret
      const signature = createHmac('sha256', secret).update(raw).digest('hex')
      const headers = { 'content-type': 'application/json', 'x-parrot-signature': signature }
      const body = accident === 'cut' ? raw.slice(0, -10) : raw
      const response = await fetch(url, { method: 'POST', headers, body })
      await response.text()
      return response.status
    },
    prepare(accident) {
      if (faults[accident]) provider.faults.push(faults[accident])
      if (accident === 'takenThenBroken') lies.push({ status: 500 })
      if (accident === 'takenThenCut') lies.push(CUT)
    },
    taken: () => sent,
    secrets: Object.values(PARAMS),
    close: () => provider.close(),
  }
}
