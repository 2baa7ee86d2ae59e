import { isPlainObject } from '../../../platform/json.js'
import type { FetchedTemplate } from '../../services/stored-templates.js'
import { TEMPLATE_STATUSES, type TemplateHeader, type TemplateStatus } from '../../services/message-template.js'
import { DeliveryRefused } from '../adapter.js'
import { callProvider, type ProviderClient } from '../provider-call.js'
import { needed } from '../provider-params.js'
import { bearer, graphAddress } from './whatsapp-api.js'
import { problemOf } from './whatsapp-errors.js'
import type { WhatsappParams } from './whatsapp-params.js'

const PAGE = 100
/** An account has at most 6,000. */
const PAGES_MAX = 60
const FIELDS = 'id,name,language,category,status,quality_score,rejected_reason,components'
const HEADERS: ReadonlySet<string> = new Set(['TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT', 'LOCATION'])
const TEXT_CHARS_MAX = 4_096

/** Fetches all templates of the account. @throws DeliveryRefused, DeliveryFailed, DeliveryUnknown */
export async function fetchTemplates(client: ProviderClient, params: WhatsappParams): Promise<FetchedTemplate[]> {
  const account = needed(params.wabaId, 'wabaId')
  const found: FetchedTemplate[] = []
  let after: string | null = null
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const query = new URLSearchParams({ fields: FIELDS, limit: String(PAGE), ...(after !== null && { after }) })
    const url = graphAddress(params, `${account}/message_templates?${query.toString()}`)
    const given = await callProvider(
      { ...client, bytesMax: 4_194_304 },
      { method: 'GET', url, headers: { authorization: bearer(params) } },
    )
    if (given.status !== 200) throw new DeliveryRefused(problemOf(given))
    const { data, paging } = given.answer
    found.push(...(Array.isArray(data) ? data : []).flatMap((each) => templateOf(each) ?? []))
    const cursors = isPlainObject(paging) && isPlainObject(paging.cursors) ? paging.cursors : {}
    const hasNext = isPlainObject(paging) && typeof paging.next === 'string'
    if (!hasNext || typeof cursors.after !== 'string') break
    after = cursors.after
  }
  // One that came twice, since the list moved between two pages.
  return [...new Map(found.map((template) => [`${template.name} ${template.language}`, template])).values()]
}

/** Returns the state of a template by the platform's word for it. */
export function templateStatusOf(word: string): TemplateStatus {
  return TEMPLATE_STATUSES.find((status) => status === word.toLowerCase()) ?? 'other'
}

function templateOf(given: unknown): FetchedTemplate | null {
  if (!isPlainObject(given)) return null
  const [providerId, name, language] = [given.id, given.name, given.language].map(textOf)
  if (!providerId || !name || !language) return null
  const parts = (Array.isArray(given.components) ? given.components : []).filter(isPlainObject)
  const part = (type: string) => parts.find((each) => String(each.type).toUpperCase() === type)
  const header = part('HEADER')
  const format = header ? String(header.format ?? 'TEXT').toUpperCase() : null
  const buttons = listOf(part('BUTTONS')?.buttons)
  const known = new Set(['HEADER', 'BODY', 'FOOTER', 'BUTTONS'])
  const quality = isPlainObject(given.quality_score) ? textOf(given.quality_score.score) : null
  const reason = textOf(given.rejected_reason)
  return {
    providerId,
    name,
    language,
    category: textOf(given.category) ?? '',
    status: templateStatusOf(textOf(given.status) ?? ''),
    quality,
    reason: reason === 'NONE' ? null : reason,
    header: format !== null && HEADERS.has(format) ? (format as TemplateHeader) : null,
    headerText: format === 'TEXT' ? textOf(header!.text) : null,
    body: textOf(part('BODY')?.text) ?? '',
    footer: textOf(part('FOOTER')?.text),
    buttons: buttons.map(({ text }) => textOf(text) ?? ''),
    isUnsupported:
      format === 'LOCATION' ||
      (format !== null && !HEADERS.has(format)) ||
      parts.some((each) => !known.has(String(each.type).toUpperCase())) ||
      buttons.some(needsMore),
  }
}

/** Tells whether a button has a part that a message would give: an address with a variable, a code, a flow. */
function needsMore({ type, url }: Record<string, unknown>): boolean {
  const kind = String(type).toUpperCase()
  if (kind === 'URL') return typeof url === 'string' && url.includes('{{')
  return kind !== 'QUICK_REPLY' && kind !== 'PHONE_NUMBER'
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isPlainObject) : []
}

function textOf(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  return String(value).toWellFormed().replaceAll('\0', '').slice(0, TEXT_CHARS_MAX).toWellFormed() || null
}
