import type { JsonObject } from '../../platform/json.js'

/**
 * Tells secrets by their names, where no list of fields says which they are: in params of types that the server does not
 * know. What it misses is sealed all the same, and shown to administrators only.
 */

/** In any part of a name, also in languages of customers. */
const PARTS =
  /secret|pass|pwd|token|key|auth|credential|credencial|bearer|cookie|session|jwt|hmac|signature|dsn|connectionstring|wachtwoord|geheim|sleutel|toegangscode|pincode|kennwort|schlu(?:e)?ssel|zugangs(?:code|daten)|anmeldedaten|jeton|contrasena|clave|chiave/
/** Words, which may be parts of others. */
const WORDS: ReadonlySet<string> = new Set('pw pin puk otp totp psk sas salt sig mdp cle clef senha passwd'.split(' '))
/** Words that have such a part by chance, or name what is public. */
const HARMLESS =
  /key(?:word|board|stroke|note|frame|pad)|(?:mon|tur|don|hoc|joc|whis)key|(?:public|pub|primary|foreign|sort|partition|routing|cache|translation|hot|object|issue|project|idempotency)key|pass(?:through|enger|age|ive|port|ed|ing)|(?:by|com|sur|tres|over|under)pass|author(?!i[sz])|(?:pos|ob)session|secretar|(?:max|min|prompt|completion|input|output|total)token|(?:mail|html|text)signature|(?:en|auto)clave/g
/** Endings of names of what is said about a secret: `tokenUrl`, `accessKeyId`, `secretName`. */
const ABOUT_END =
  /(?:url|uri|endpoint|host|path|type|name|id|expiry|expires|expiresin|lifetime|limit|length|timeout|method|algorithm)$/
const ABOUT: ReadonlySet<string> = new Set(
  (
    'hostname ids expiration in ttl age mode scheme format prefix suffix alg domain count policy days hours minutes ' +
    'seconds ms enabled required issuer audience scope scopes provider fingerprint thumbprint alias label field param ' +
    'parameter attribute size bits usage user mapping map version region at'
  ).split(' '),
)
/**
 * A text that is a secret wherever it stands. Linear: a run of letters is read from its start only, whatever it repeats.
 */
const SECRET_TEXT =
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----|(?<![\w-])(?=[\w-]*?\beyJ[\w-]{8})[\w-]+\.eyJ[\w-]+\.|^\s*(?:[Bb]earer|BEARER)\s+\S+\s*$|^\s*(?:[Bb]asic|BASIC|[Tt]oken|[Dd]igest)\s+(?=\S*[A-Z\d=])\S{6,}\s*$/
/** A name and a value within a text: a header, a parameter of a URL, a part of a connection string. */
const ASSIGNED = /(?:^|[\s;,&?{["'])([\p{L}\p{N}_.-]{1,60})["']?\s*[:=]\s*["']?[^\s"']/gu
const NAME = /^[\p{L}\p{N}_.[\]-]{1,60}$/u

const PLAIN = /^[\x20-\x7e]*$/
const PLAIN_BOUNDS = /(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g

/** Members that name what is beside them. */
const NAMING: ReadonlySet<string> = new Set(
  'name key header field param parameter property attribute variable k n naam nom nombre feld veld champ campo'.split(
    ' ',
  ),
)
const LABELS: ReadonlySet<string> = new Set(['type', 'kind', 'label', 'title', 'id'])
const VALUES: ReadonlySet<string> = new Set('value val v values content data text wert waarde valeur valor'.split(' '))
/** A pair and one more; in a larger object only what is called a value belongs to the name. */
const PAIR_MEMBERS_MAX = 3

/** `secret`, `clientSecret`, `secret_key`, `auth_token`, `token2`, `smtpPass`, `X-Api-Key` …; not `tokenUrl`. */
export function isSecretKey(key: string): boolean {
  const words = wordsOf(key)
  const name = words.join('')
  if (name.endsWith('sessionid')) return true
  if (ABOUT_END.test(name) || ABOUT.has(words.at(-1) ?? '')) return false
  return PARTS.test(name.replaceAll(HARMLESS, ' ')) || name.endsWith('pw') || words.some((word) => WORDS.has(word))
}

/** Words of a name in small letters, without digits and accents, and with full-width letters as others. */
function wordsOf(key: string): string[] {
  // Most names are plain, and these take a third of the time.
  if (PLAIN.test(key))
    return (
      key
        .replaceAll(PLAIN_BOUNDS, ' ')
        .toLowerCase()
        .match(/[a-z]+/g) ?? []
    )
  return key
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' ')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter(Boolean)
}

/**
 * Returns what tells whether a member is a secret by its name, or by what is beside it: the value of a pair whose name is
 * a secret's, such as `{ name: 'Authorization', value: '…' }`. Reads the members once, and then one for each answer.
 */
export function secretMembersOf(members: JsonObject): (key: string) => boolean {
  const entries = Object.entries(members)
  const hasValue = entries.some(([key]) => VALUES.has(key.toLowerCase()))
  const namesSecret = (names: ReadonlySet<string>): boolean =>
    entries.some(
      ([key, value]) =>
        names.has(key.toLowerCase()) && typeof value === 'string' && NAME.test(value) && isSecretKey(value),
    )
  const isNamed = namesSecret(NAMING)
  const isLabelled = hasValue && namesSecret(LABELS)
  return (key) => {
    const name = key.toLowerCase()
    if (hasValue && NAMING.has(name)) return false
    if (isSecretKey(key)) return !isGroup(members[key], name)
    if (VALUES.has(name)) return isNamed || isLabelled
    return isNamed && entries.length <= PAIR_MEMBERS_MAX && !NAMING.has(name) && !LABELS.has(name)
  }
}

/** An object of settings (`auth`), each of which has a name of its own. */
function isGroup(value: unknown, name: string): boolean {
  return typeof value === 'object' && !Array.isArray(value) && /^(?:o?auth\d?|authentication|session)$/.test(name)
}

/** Tells whether an element is a secret by the one before it: `['Authorization', '…']`. */
export function isSecretElement(list: readonly unknown[], at: number): boolean {
  const before = list[at - 1]
  return at % 2 === 1 && list.length % 2 === 0 && typeof before === 'string' && NAME.test(before) && isSecretKey(before)
}

/** Tells whether a text is or contains a secret: `Authorization: …`, `https://host/?apikey=…`, `Bearer …`, a private key. */
export function isSecretText(text: string): boolean {
  return SECRET_TEXT.test(text) || text.matchAll(ASSIGNED).some(([, name]) => isSecretKey(name!))
}
