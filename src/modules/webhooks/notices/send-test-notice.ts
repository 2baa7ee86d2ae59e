import { redactSecrets } from '../../services/redact-secrets.js'
import type { OutboundHttp } from '../../../platform/outbound/outbound-http.js'
import { signatureHeaders } from '../signing.js'
import { withSecretsNamed, type WebhookParams } from '../webhook-params.js'
import type { NoticeFormat } from '../webhook-format.js'
import { noticeBody } from './notice-body.js'
import { testNotice } from './notice.js'

export interface NoticeTest {
  params: WebhookParams
  format: NoticeFormat
  /** Name of the service. */
  name: string | null
  /** The id of the notice, and its time. */
  id: string
  sentAt: Date
  publicUrl: string
  signal?: AbortSignal | undefined
}

const TIMEOUT_MS = 20_000
const ANSWER_BYTES_MAX = 4_096
const REASON_CHARS_MAX = 100

/**
 * Posts a notice that says that it is a test: receivers of notices cannot answer a challenge, but say by 2xx that they took it.
 * @throws Error that says what is wrong
 */
export async function sendTestNotice(http: OutboundHttp, test: NoticeTest): Promise<void> {
  const { params, format, name, id, sentAt, publicUrl, signal } = test
  const body = noticeBody(format, testNotice(name, publicUrl))
  const answer = await http.request({
    method: 'POST',
    url: params.url,
    headers: {
      'content-type': 'application/json',
      ...signatureHeaders({ id, sentAt, body, secrets: [params.secret] }),
    },
    body,
    timeoutMs: TIMEOUT_MS,
    bytesMax: ANSWER_BYTES_MAX,
    signal,
  })
  if (answer.status >= 200 && answer.status < 300) return
  // Such as `no_service`; a receiver may repeat what it was sent.
  const reason = redactSecrets(answer.body, withSecretsNamed(params), answer.isCut).slice(0, REASON_CHARS_MAX).trim()
  throw new Error(`answered ${answer.status}${reason === '' ? '' : `: ${reason}`}`)
}
