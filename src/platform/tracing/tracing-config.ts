type Environment = Readonly<Record<string, string | undefined>>

const ENDPOINTS = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']
const PROTOCOLS = ['http/protobuf', 'http/json', 'grpc']
const SAMPLERS = ['always_on', 'always_off', 'traceidratio'].flatMap((name) => [name, `parentbased_${name}`])

export type TraceProtocol = 'http/protobuf' | 'http/json' | 'grpc'

export interface TracingConfig {
  protocol: TraceProtocol
  /** Part of the traces begun here that is recorded, from 0 to 1. */
  ratio: number
  /** True if traces that others have begun are recorded if they say so; else by the same ratio. */
  followsParents: boolean
}

/**
 * Reads whether traces are sent, and how. OpenTelemetry reads its own variables, and goes on with a default where one
 * is wrong: those that decide what is sent where are checked here.
 * @returns null without an address to send traces to
 * @throws Error naming an invalid variable
 */
export function tracingConfig(env: Environment): TracingConfig | null {
  const isDisabled = env.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || env.OTEL_TRACES_EXPORTER === 'none'
  if (isDisabled || !ENDPOINTS.some((name) => env[name])) return null
  for (const name of ENDPOINTS) {
    const { [name]: value } = env
    // The value is in no message: addresses contain passwords.
    if (value && !['http:', 'https:'].includes(URL.parse(value)?.protocol ?? '')) {
      throw new Error(`${name} must be an address that begins with http:// or https://`)
    }
  }
  const name = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL
    ? 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'
    : 'OTEL_EXPORTER_OTLP_PROTOCOL'
  const protocol = env[name] ? (oneOf(env, name, PROTOCOLS) as TraceProtocol) : 'http/protobuf'
  return { protocol, ...samplerOf(env) }
}

function samplerOf(env: Environment): Omit<TracingConfig, 'protocol'> {
  const sampler = env.OTEL_TRACES_SAMPLER ? oneOf(env, 'OTEL_TRACES_SAMPLER', SAMPLERS) : SAMPLERS[1]!
  const given = env.OTEL_TRACES_SAMPLER_ARG
  if (given && !(Number(given) >= 0 && Number(given) <= 1)) {
    throw new Error(`OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not "${given}"`)
  }
  const ratio = sampler.endsWith('always_off') ? 0 : sampler.endsWith('ratio') && given ? Number(given) : 1
  return { ratio, followsParents: sampler.startsWith('parentbased_') }
}

function oneOf(env: Environment, name: string, allowed: readonly string[]): string {
  const value = env[name]!
  if (!allowed.includes(value)) throw new Error(`${name} must be one of ${allowed.join(', ')}, not "${value}"`)
  return value
}
