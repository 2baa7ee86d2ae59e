import { createServer, type AddressInfo } from 'node:net'
import { expect, it } from '@jest/globals'
import { SmtpSession } from '../../src/platform/outbound/smtp-session.js'
import { PATIENCE_MS } from '../support/until.js'

it('a password is not sent to a mail server without TLS', async () => {
  const heard: string[] = []
  const server = createServer((socket) => {
    socket.setEncoding('utf8').on('data', (lines: string) => {
      heard.push(lines)
      socket.write(
        lines.startsWith('EHLO') ? '250-at your service\r\n250 AUTH PLAIN LOGIN\r\n' : '502 no such thing\r\n',
      )
    })
    socket.on('error', () => undefined)
    socket.write('220 a listener on the way\r\n')
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const url = `smtp://user:sesame@127.0.0.1:${(server.address() as AddressInfo).port}`
  const signal = AbortSignal.timeout(PATIENCE_MS)
  await expect(SmtpSession.open(url, { guarded: false, signal })).rejects.toThrow('502 no such thing')
  // Without a password it goes on as before.
  await (await SmtpSession.open(url.replace('user:sesame@', ''), { guarded: false, signal })).quit()
  expect(heard.join('')).not.toMatch(new RegExp(`AUTH |${Buffer.from('sesame').toString('base64').slice(0, 6)}|sesame`))
  expect(heard.join('')).toContain('STARTTLS')
  server.close()
})
