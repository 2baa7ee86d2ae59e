import { connect } from 'node:net'
import type { Outcome } from './bounds.js'
import type { Random } from './random.js'
import type { Tally } from './tally.js'
import { hostileText } from './values.js'

export interface MailFuzzerOptions {
  url: string
  port: number
  /** Header of a caller who may make services. */
  headers: Readonly<Record<string, string>>
  random: Random
  tally: Tally
}

const AT_ONCE = 4
const ANSWER_MS_MAX = 15_000
const LINES_MAX = 400
/** By which the server refuses for now; its other refusals are final, or their sender's fault. */
const FOR_NOW: ReadonlySet<number> = new Set([421, 452])

/** Sends mails by SMTP, a part of them broken: in their headers, their parts, and in the middle. */
export class MailFuzzer {
  #sent = 0

  constructor(private readonly options: MailFuzzerOptions) {}

  async send(mails: number): Promise<void> {
    const address = `fuzz${process.pid % 10_000}@fuzz.example`
    await this.#makeService(address)
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (this.#sent < mails) {
          this.#sent += 1
          this.options.tally.sent('mails')
          await this.#hand(address, this.#mail(address))
        }
      }),
    )
  }

  async #makeService(address: string): Promise<void> {
    const { headers, url } = this.options
    await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({
        query: 'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }',
        variables: { input: { type: 'email', name: 'Fuzz', params: { address } } },
      }),
    })
  }

  #mail(to: string): string {
    const { random } = this.options
    const text = (): string =>
      hostileText(random)
        .replace(/[\r\n]/g, ' ')
        .slice(0, 2_000)
    const from = `Sender <sender-${random.below(1_000)}@example${random.below(20)}.com>`
    const lines = [`From: ${random.isLucky(0.1) ? text() : from}`, `To: ${to}`, `Subject: ${text()}`]
    if (random.isLucky(0.8)) lines.push(`Message-ID: <${this.#sent}.${random.below(1_000_000)}@fuzz.example>`)
    if (random.isLucky(0.8)) lines.push(`Date: ${random.isLucky(0.2) ? text() : new Date(0).toUTCString()}`)
    if (random.isLucky(0.2)) lines.push(`Authentication-Results: ${text()}; dmarc=pass`)
    if (random.isLucky(0.2))
      lines.push(`DKIM-Signature: v=1; a=rsa-sha256; d=${text()}; s=${text()}; bh=x; b=${text()}`)
    if (random.isLucky(0.2)) lines.push(`${text().replace(/[^a-z]/gi, '') || 'X'}: ${text()}`)
    const boundary = random.isLucky(0.1) ? text() : 'part'
    if (random.isLucky(0.5)) return [...lines, '', text(), text()].join('\r\n')
    lines.push(
      'MIME-Version: 1.0',
      `Content-Type: multipart/${random.pick(['mixed', 'report', 'alternative'])}; boundary="${boundary}"`,
      '',
    )
    for (let part = 0; part < random.below(6); part += 1) {
      const type = random.pick([
        'text/plain',
        'text/html',
        'message/rfc822',
        'message/delivery-status',
        'image/png',
        text(),
      ])
      lines.push(
        `--part`,
        `Content-Type: ${type}`,
        `Content-Transfer-Encoding: ${random.pick(['base64', '8bit', text()])}`,
        '',
        text(),
      )
    }
    return [...lines, '--part--'].slice(0, LINES_MAX).join('\r\n')
  }

  /** Hands a mail over; a tenth of them end in the middle. */
  #hand(to: string, raw: string): Promise<void> {
    const { port, random, tally } = this.options
    const isCut = random.isLucky(0.1)
    const body = `${raw.replace(/^\./gm, '..')}\r\n.\r\n`
    const steps = [
      'EHLO fuzz.example\r\n',
      `MAIL FROM:<${random.isLucky(0.1) ? '' : 'bounces@fuzz.example'}>\r\n`,
      `RCPT TO:<${to}>\r\n`,
      'DATA\r\n',
      isCut ? body.slice(0, random.below(body.length)) : body,
    ]
    const since = performance.now()
    return new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1')
      let said = ''
      let isOver = false
      const end = (code: number, isFault = false): void => {
        if (isOver) return
        isOver = true
        clearTimeout(timer)
        socket.destroy()
        if (isFault) tally.fault('mails', 'a mail', `${code} ${said.slice(-200)} for ${raw}`)
        else
          tally.count('mails', outcomeOf(code, said), performance.now() - since, () => `${said.slice(-200)} for ${raw}`)
        resolve()
      }
      const timer = setTimeout(() => end(0, true), Math.max(ANSWER_MS_MAX, tally.msMax))
      socket.on('error', () => end(499))
      socket.on('close', () => end(499))
      socket.on('data', (bytes: Buffer) => {
        said += bytes.toString('latin1')
        const answer = /(?:^|\r\n)(\d{3}) [^\r\n]*\r\n$/.exec(said)
        if (!answer) return
        const code = Number(answer[1])
        const step = steps.shift()
        if (step === undefined || code >= 400) return end(code)
        said = ''
        socket.write(step)
        if (steps.length === 0 && isCut) setTimeout(() => end(200), 20)
      })
    })
  }
}

/** 451: the server failed. Its 5xx are refusals, as HTTP's 4xx are. */
function outcomeOf(code: number, said: string): Outcome {
  if (FOR_NOW.has(code)) return { status: 503, bound: `SMTP's ${said.trim().slice(-100)}` }
  return { status: code === 451 ? 500 : code < 300 ? 200 : 400 }
}
