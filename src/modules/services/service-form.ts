import type { UserLocale } from '../users/user-settings.js'

/** A text in each language of the user interface. */
export type Words = Readonly<Record<UserLocale, string>>

/** A step of an administrator at a provider. */
export interface SetUpStep {
  text: Words
  /** Address of this server that is copied into a form of the provider: a path, in which `{service}` stands for the service's id. */
  address?: string
  /** Param that is copied into a form of the provider. */
  param?: string
}

export interface FormParam {
  key: string
  label: Words
  help?: Words
  /** Choices, the default first. */
  options?: readonly (readonly [value: string, label: Words])[]
  /** Reads return a mask. */
  isSecret: boolean
  /** A list of texts, one a line. */
  isList: boolean
  /** A text of several lines. */
  isLong: boolean
}

/** A sign-in at the provider, which is offered where a param has one of these values. */
export interface SignInForm {
  param: string
  options: readonly (readonly [value: string, label: Words])[]
}

/** The form by which administrators set up a service of a type, in the order in which they go through it. */
export interface ServiceForm {
  name: Words
  /** Name of an icon of the console. */
  icon: string
  /** Steps before the params are known: where they are found. */
  prepare?: readonly SetUpStep[]
  params: readonly FormParam[]
  /** Sign-in of an administrator at the provider, whose effect is `ServiceKind.authorize`. */
  signIn?: SignInForm
  /** Steps that need the service's id. */
  connect?: readonly SetUpStep[]
  /** Effect of a test; absent if there is none. */
  test?: Words
  /** Address to which a test may send; absent if it sends to nobody, or to the caller alone. */
  testTo?: 'telephone'
}
