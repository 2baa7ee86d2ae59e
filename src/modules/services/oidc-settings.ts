import { Field, InputType, ObjectType } from 'type-graphql'
import { AccountSettings } from './account-settings.js'
import { registerSettings } from './service-settings.js'

@InputType('OidcSettingsInput', { description: 'Settings of a service of type `oidc`.' })
@ObjectType('OidcSettings', {
  simpleResolvers: true,
  description:
    'Settings of a service of type `oidc`: a provider by which users of the organization and of those below it sign in (OpenID Connect).',
})
export class OidcSettings extends AccountSettings {
  @Field(() => String, {
    nullable: true,
    description: 'The address of the provider as it calls itself, with https. Needed; a write asks the provider.',
  })
  issuer?: string | null

  @Field(() => String, {
    nullable: true,
    description: 'Id of the application at the provider. Without it nobody can sign in yet.',
  })
  clientId?: string | null

  @Field(() => String, {
    nullable: true,
    description: 'Secret: reads return `********`. Absent for an application that has none.',
  })
  clientSecret?: string | null

  @Field(() => [String], {
    nullable: true,
    description: 'Scopes to ask for; `openid`, `email` and `profile` if absent.',
  })
  scopes?: string[] | null

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether the return address is `/sso/return/<service>` in place of `/sso/return`. Set by what the provider supports: one that does not ' +
      'name itself in its answers (RFC 9207) needs it, so that another provider cannot answer for it.',
  })
  ownReturn?: boolean | null
}

registerSettings('oidc', 'Oidc', { given: OidcSettings, shown: OidcSettings })
