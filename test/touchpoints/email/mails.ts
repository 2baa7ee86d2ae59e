import { generateKeyPairSync } from 'node:crypto'
import SMTPConnection from 'nodemailer/lib/smtp-connection'

export interface MailParts {
  from?: string
  to: string
  subject?: string
  messageId?: string
  headers?: Record<string, string>
  text?: string
  html?: string
  /** Base64 of each. */
  attachments?: { name: string; type: string; content: Buffer }[]
}

/** A mail as a client writes it. */
export function rawMail({
  from = 'Carl <carl@example.com>',
  to,
  subject = 'Boats',
  text = 'Hello',
  ...more
}: MailParts): string {
  const { html, attachments = [], messageId, headers = {} } = more
  const lines = [
    `From: ${from}`,
    `To: ${to}`,
    `Subject: ${subject}`,
    'Date: Sat, 21 Nov 2026 10:00:00 +0000',
    'MIME-Version: 1.0',
  ]
  if (messageId !== undefined) lines.push(`Message-ID: <${messageId}>`)
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
  const body =
    html === undefined
      ? ['Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: 8bit', '', text]
      : ['Content-Type: text/html; charset=utf-8', '', html]
  if (attachments.length === 0) return [...lines, ...body].join('\r\n')
  const parts = attachments.map(({ name, type, content }) => [
    `Content-Type: ${type}; name="${name}"`,
    `Content-Disposition: attachment; filename="${name}"`,
    'Content-Transfer-Encoding: base64',
    '',
    content.toString('base64').replace(/.{76}/g, '$&\r\n'),
  ])
  return [
    ...lines,
    'Content-Type: multipart/mixed; boundary="b1"',
    '',
    ...[body, ...parts].flatMap((part) => ['--b1', ...part]),
    '--b1--',
    '',
  ].join('\r\n')
}

/** Makes the mail that a mail server sends back for a mail that it could not deliver (RFC 3464). */
export function bounceMail({
  to,
  original,
  action = 'failed',
  status = '5.1.1',
  recipient = 'carl@example.com',
  proof,
}: {
  to: string
  original: string
  action?: string
  status?: string
  recipient?: string
  /** The header of the returned mail that proves that the notice's writer has seen it. */
  proof?: string | undefined
}): string {
  return [
    'From: Mail Delivery System <MAILER-DAEMON@mx.example.com>',
    `To: ${to}`,
    'Subject: Undelivered Mail Returned to Sender',
    'Message-ID: <bounce-1@mx.example.com>',
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b2"',
    '',
    '--b2',
    'Content-Type: text/plain',
    '',
    'It could not be delivered.',
    '--b2',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example.com',
    '',
    `Final-Recipient: rfc822; ${recipient}`,
    `Action: ${action}`,
    `Status: ${status}`,
    `Diagnostic-Code: smtp; 550 ${status} <${recipient}>: no such`,
    '  user',
    '--b2',
    'Content-Type: text/rfc822-headers',
    '',
    `Message-ID: ${original}`,
    ...(proof === undefined ? [] : [`X-Delivery-Proof: ${proof}`]),
    'Subject: Boats',
    '--b2--',
    '',
  ].join('\r\n')
}

export interface SmtpAnswer {
  code: number
  response: string
}

/**
 * Hands a mail over by SMTP. @returns the server's last answer
 * @param certificate by STARTTLS, and only to a server that shows this one
 */
export function sendBySmtp(
  port: number,
  { from, to, raw }: { from: string; to: string[]; raw: string },
  certificate?: string,
): Promise<SmtpAnswer> {
  const tls =
    certificate === undefined
      ? { ignoreTLS: true }
      : { requireTLS: true, tls: { ca: certificate, servername: 'mx.boats.example' } }
  const connection = new SMTPConnection({ host: '127.0.0.1', port, ...tls })
  return new Promise((resolve) => {
    const end = (response: string): void => {
      connection.close()
      resolve({ code: Number(response.slice(0, 3)), response })
    }
    connection.on('error', (error: Error & { response?: string }) => end(error.response ?? `0 ${error.message}`))
    connection.connect((failed) => {
      if (failed) return
      connection.send({ from, to }, raw, (error, info) =>
        end((error ? (error as { response?: string }).response : info.response) ?? '0'),
      )
    })
  })
}

/** Makes a key that signs mails, and the record by which name servers tell it. */
export function dkimKeys(): { privateKey: string; record: string } {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  return { privateKey, record: `v=DKIM1; k=rsa; p=${publicKey.toString('base64')}` }
}
