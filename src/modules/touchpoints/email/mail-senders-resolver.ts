import { Arg, Authorized, Ctx, FieldResolver, ID, Mutation, Resolver, Root } from 'type-graphql'
import type { Config } from '../../../platform/config.js'
import type { Context } from '../../../platform/context.js'
import { isAbsent, parseText } from '../../../platform/input.js'
import { Service } from '../../services/service.js'
import { EMAIL, sendsByInstallation, type EmailParams } from './email-params.js'
import { MailSender, verifiedSenderLoader } from './mail-sender.js'
import type { SenderProofs } from './sender-proofs.js'
import type { SenderVerification } from './verify-sender.js'

const SERVICE = 'A service of type `email` with `params.address`.'
const CODE_CHARS_MAX = 100

export interface MailSendersResolverOptions {
  verification: SenderVerification
  proofs: SenderProofs
  mailSenders: Config['mailSenders']
}

/** Sender addresses of email services, and how they are proved. */
@Resolver(() => Service)
export class MailSendersResolver {
  constructor(private readonly options: MailSendersResolverOptions) {}

  @Authorized('service.update')
  @Mutation(() => Service, {
    description: 'Mails a code to the address of an email service, for `verifySender`. It is good for 24 hours.',
  })
  requestSenderVerification(
    @Ctx() ctx: Context,
    @Arg('service', () => ID, { description: SERVICE }) service: string,
  ): Promise<Service> {
    return this.options.verification.request(ctx, service)
  }

  @Authorized('service.update')
  @Mutation(() => Service, {
    description:
      'Verifies the address of an email service: by the code that was mailed to it, or without one by the TXT record ' +
      'that `Service.sender` names.',
  })
  verifySender(
    @Ctx() ctx: Context,
    @Arg('service', () => ID, { description: SERVICE }) id: string,
    @Arg('code', () => String, { nullable: true, description: 'Absent: the TXT record is looked up.' })
    code?: string | null,
  ): Promise<Service> {
    const given = isAbsent(code) ? null : parseText(code, 'code', { max: CODE_CHARS_MAX })
    return this.options.verification.verify(ctx, { id, code: given })
  }

  @FieldResolver(() => MailSender, {
    nullable: true,
    description: 'Verification of the sender address, for a service of type `email` with an address.',
  })
  async sender(@Root() service: Service, @Ctx() ctx: Context): Promise<MailSender | null> {
    const params = service.params as EmailParams
    if (service.type !== EMAIL || params.address === undefined) return null
    const { mailSenders, proofs } = this.options
    const stored = await ctx.loader(verifiedSenderLoader).load(service.id)
    const verified = stored?.address === params.address ? stored : null
    const named = { organization: service.organizationId, address: params.address }
    return {
      address: params.address,
      isRequired: mailSenders === 'verified' && sendsByInstallation(params),
      isVerified: verified !== null,
      verifiedBy: verified?.verifiedBy ?? null,
      verifiedAt: verified?.verifiedAt ?? null,
      dnsName: proofs.dnsName(named),
      dnsValue: proofs.dnsValue(named),
    }
  }
}
