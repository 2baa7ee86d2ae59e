import { Arg, Authorized, Extensions, Field, ObjectType, Query, Resolver } from 'type-graphql'
import { PART_OF_RECORD } from '../../platform/lists/part-of-record.js'
import { TouchpointEnum } from '../touchpoint-enum.js'
import type { Touchpoint } from '../touchpoint-traits.js'
import { UserLocale } from '../users/user-settings.js'
import { AUTHORIZED_PATH } from './authorized-path.js'
import type { FormParam, ServiceForm, Words } from './service-form.js'
import type { ServiceKinds } from './service-kinds.js'

@Extensions(PART_OF_RECORD)
@ObjectType('ServiceParamOption', { simpleResolvers: true, description: 'A choice of a param.' })
export class ServiceParamOption {
  @Field(() => String, { description: 'Value, as params have it.' }) value!: string
  @Field(() => String, { description: 'Name of the choice, in the language that was asked for.' }) label!: string
}

@Extensions(PART_OF_RECORD)
@ObjectType('ServiceParam', {
  simpleResolvers: true,
  description: 'A param of a kind of services, as a form shows it.',
})
export class ServiceParam {
  @Field(() => String, { description: 'Name among the params.' }) key!: string
  @Field(() => String, { description: 'Name of the param, in the language that was asked for.' }) label!: string
  @Field(() => String, { nullable: true, description: 'Explanation, in a sentence or two.' }) help!: string | null
  @Field(() => Boolean, { description: 'Reads return a mask, which keeps what is stored when it is written.' })
  isSecret!: boolean
  @Field(() => Boolean, { description: 'A list of texts.' }) isList!: boolean
  @Field(() => Boolean, { description: 'A text of several lines.' }) isLong!: boolean
  @Field(() => [ServiceParamOption], {
    description: 'Choices, the first of which counts where none is stored; empty for a text.',
  })
  options!: ServiceParamOption[]
}

@Extensions(PART_OF_RECORD)
@ObjectType('ServiceSetUpStep', { simpleResolvers: true, description: 'A step of an administrator at a provider.' })
export class ServiceSetUpStep {
  @Field(() => String, { description: 'Instruction.' }) text!: string
  @Field(() => String, {
    nullable: true,
    description: 'Address of this server that the provider is given; `{service}` stands for the id of the service.',
  })
  address!: string | null
  @Field(() => String, { nullable: true, description: 'Name of a param that the provider is given.' })
  param!: string | null
}

@Extensions(PART_OF_RECORD)
@ObjectType('ServiceSignIn', {
  simpleResolvers: true,
  description: 'A sign-in of an administrator at the provider, by `authorizeService`.',
})
export class ServiceSignIn {
  @Field(() => String, { description: 'Name of the param whose stored value decides about it.' }) param!: string
  @Field(() => [ServiceParamOption], { description: 'Values with which it is offered, and the words for it.' })
  options!: ServiceParamOption[]
  @Field(() => String, { description: 'Address of this server that is registered at the provider: its redirect URI.' })
  address!: string
}

@Extensions(PART_OF_RECORD)
@ObjectType('ServiceKind', {
  simpleResolvers: true,
  description: 'A kind of services, and the form by which one is set up. Texts are in the language that was asked for.',
})
export class ServiceKindShown {
  @Field(() => String, { description: 'The `type` of its services.' }) type!: string
  @Field(() => String) name!: string
  @Field(() => String, { description: "Name of one of the console's icons." }) icon!: string
  @Field(() => TouchpointEnum, {
    nullable: true,
    description: 'Touchpoint of its services; null if they reach nobody.',
  })
  touchpoint!: Touchpoint | null
  @Field(() => [ServiceSetUpStep], { description: 'Steps by which the params are found.' }) prepare!: ServiceSetUpStep[]
  @Field(() => [ServiceParam], { description: 'Params, in the order of the form.' }) params!: ServiceParam[]
  @Field(() => ServiceSignIn, { nullable: true, description: 'Sign-in at the provider; null where there is none.' })
  signIn!: ServiceSignIn | null
  @Field(() => [ServiceSetUpStep], { description: 'Steps that need a stored service.' }) connect!: ServiceSetUpStep[]
  @Field(() => String, { nullable: true, description: 'Effect of `testService`; null where it is refused.' })
  test!: string | null
  @Field(() => Boolean, { description: 'A test takes a telephone number, which gets a message.' })
  isTestedByTelephone!: boolean
}

@Resolver()
export class ServiceKindsResolver {
  constructor(private readonly options: { kinds: ServiceKinds; publicUrl: string }) {}

  @Authorized('service.list')
  @Query(() => [ServiceKindShown], {
    description: 'Kinds of services that administrators set up by a form. Other types have params, and no form.',
  })
  serviceKinds(
    @Arg('locale', () => UserLocale, { nullable: true, description: 'Language of the texts; English if absent.' })
    locale?: UserLocale | null,
  ): ServiceKindShown[] {
    const { kinds, publicUrl } = this.options
    const say = (words: Words): string => words[locale ?? 'en']
    return [...kinds].flatMap(([type, kind]) =>
      kind.form ? [{ type, touchpoint: kind.touchpoint, ...shownForm(kind.form, { say, publicUrl }) }] : [],
    )
  }
}

function shownForm(
  form: ServiceForm,
  { say, publicUrl }: { say(words: Words): string; publicUrl: string },
): Omit<ServiceKindShown, 'type' | 'touchpoint'> {
  const { name, icon, prepare = [], params, signIn, connect = [], test, testTo } = form
  const steps = (each: NonNullable<ServiceForm['connect']>): ServiceSetUpStep[] =>
    each.map(({ text, address, param }) => ({
      text: say(text),
      address: address === undefined ? null : `${publicUrl}${address}`,
      param: param ?? null,
    }))
  const shown = (options: NonNullable<FormParam['options']>): ServiceParamOption[] =>
    options.map(([value, each]) => ({ value, label: say(each) }))
  return {
    name: say(name),
    icon,
    prepare: steps(prepare),
    params: params.map(({ label, help, options = [], key, isSecret, isList, isLong }) => ({
      key,
      label: say(label),
      help: help ? say(help) : null,
      isSecret,
      isList,
      isLong,
      options: shown(options),
    })),
    signIn: signIn
      ? { param: signIn.param, options: shown(signIn.options), address: `${publicUrl}${AUTHORIZED_PATH}` }
      : null,
    connect: steps(connect),
    test: test ? say(test) : null,
    isTestedByTelephone: testTo === 'telephone',
  }
}
