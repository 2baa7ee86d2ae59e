import type { Sql } from '../../platform/db/database.js'
import { Forbidden, Unprocessable } from '../../platform/errors.js'

/** SQL: whether the user at `alias` signs in by a provider only. Bots have no other way than their password. */
export const isPasswordOffSql = (alias: string): string => `(${alias}.role <> 'bot' and exists (
  select from sign_in_policy off where off.organization_id in (${alias}.org1, ${alias}.org2, ${alias}.org3)
    and off.password_login = false))`

/** SQL: whether people of a domain sign in by a provider only: its owner says so. The domain of an email is no secret, who has it is. */
export const isDomainOffSql = (email: string): string => `exists (
  select from domain d join sign_in_policy off on off.organization_id in (d.org1, d.org2, d.org3)
  where d.name = lower(substring(${email} from '@([^@]*)$')) and d.verified_at is not null and off.password_login = false)`

export function passwordLoginOff(): Forbidden {
  return new Forbidden('people of this organization sign in by its provider, not by a password', {
    reason: 'PASSWORD_LOGIN_OFF',
  })
}

/** SQL: whether the service at `alias` is a provider by which people can sign in. */
export const isProviderSql = (alias: string): string =>
  `(${alias}.status = 'active' and ${alias}.params ? (case ${alias}.type when 'oidc' then 'clientId' when 'saml' then 'certificates' end))`

/**
 * SQL: the issuer of the identities that the provider at `alias` opens. An entity id of SAML is only claimed, and the certificates are the
 * service's own: its identities are the service's, whatever others of the same entity id say.
 */
export const identityIssuerSql = (alias: string): string =>
  `(case ${alias}.type when 'saml' then 'saml:' || ${alias}.id || ':' else '' end || (${alias}.params ->> 'issuer'))`

/** The same of a service of SAML, as {@link identityIssuerSql}. */
export const samlIssuer = (service: string, entity: string): string => `saml:${service}:${entity}`

/** SQL: an issuer of {@link identityIssuerSql} as the provider writes it. */
export const shownIssuerSql = (issuer: string): string => `regexp_replace(${issuer}, '^saml:[^:]*:', '')`

const PROVIDER = isProviderSql('s')

/**
 * Refuses to switch passwords off where no provider works: none is in use on the path, or the author has no account at one.
 * @param options.author the author, if the rule holds for it @throws Unprocessable
 */
export async function refuseWithoutProvider(
  tx: Pick<Sql, 'query'>,
  { organization, path, author }: { organization: string; path: readonly string[]; author: string | null },
): Promise<void> {
  const [found] = await tx.query<{ is_linked: boolean }>(
    `select $2::uuid is null or bool_or(exists (
       select from user_identity i where i.user_id = $2 and i.issuer = ${identityIssuerSql('s')})) as is_linked
     from service s where ${PROVIDER} and s.organization_id = any($1::uuid[]) having count(*) > 0`,
    [path, author],
  )
  if (found?.is_linked) return
  const why = found ? 'your account is linked to none of its providers: link it first' : 'it has no provider in use'
  throw new Unprocessable(`passwordLogin: ${why}`, { reason: 'WOULD_LOCK_OUT', field: 'passwordLogin', organization })
}

/** Refuses to take the last provider from an organization whose people sign in by a provider only. @throws Unprocessable */
export async function refuseLosingProvider(
  tx: Pick<Sql, 'query'>,
  service: { id: string; org1: string; organizationId: string },
): Promise<void> {
  // Whoever switches passwords off meanwhile waits, and sees what is left.
  await tx.query('select 1 from organization where id = $1 for no key update', [service.org1])
  const [left] = await tx.query<{ organization: string }>(
    `select p.organization_id as organization from sign_in_policy p
     where p.password_login = false and $2::uuid in (p.org1, p.org2, p.org3) and not exists (
       select from service s where ${PROVIDER} and s.id <> $1 and s.organization_id in (p.org1, p.org2, p.org3))
     limit 1`,
    [service.id, service.organizationId],
  )
  if (!left) return
  const why = 'people sign in by a provider only, and this is the last one: allow passwords first'
  throw new Unprocessable(why, { reason: 'WOULD_LOCK_OUT', field: 'passwordLogin', organization: left.organization })
}
