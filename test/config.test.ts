import { describe, expect, it } from '@jest/globals'
import { programEnvironment, readConfig } from '../src/platform/config.js'

describe('the settings', () => {
  // [8 Request rate]
  it('have defaults for a first start on one machine', () => {
    expect(readConfig({})).toMatchObject({
      port: 4000,
      host: '127.0.0.1',
      databaseUrl: undefined,
      redisUrl: undefined,
      publicUrl: 'http://localhost:4000',
      rateLimitPerSecond: 20,
      expiredTokenStatus: 403,
      allowedOrigins: [],
      eventRetentionDays: 7,
      graphiql: true,
      trustProxy: false,
    })
  })

  it('count as absent when they are empty, as compose files leave them', () => {
    const names = [
      'PORT',
      'DATABASE_URL',
      'REDIS_URL',
      'ADMIN_EMAIL',
      'ADMIN_PASSWORD',
      'PUBLIC_URL',
      'SMTP_URL',
      'GRAPHIQL',
    ]
    expect(readConfig(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(readConfig({}))
  })

  it('of OpenTelemetry are checked where it would go on with a default', () => {
    expect(readConfig({ OTEL_SERVICE_NAME: 'unused' }).traces).toBeNull()
    const given = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }
    expect(readConfig(given).traces).toEqual({ protocol: 'http/protobuf', ratio: 1, followsParents: true })
    const sampled = { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.01' }
    expect(readConfig({ ...given, ...sampled }).traces).toMatchObject({ ratio: 0.01, followsParents: false })
    expect(readConfig({ ...given, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }).traces?.protocol).toBe('grpc')
    expect(readConfig({ ...given, OTEL_SDK_DISABLED: 'true' }).traces).toBeNull()
    expect(readConfig({ ...given, OTEL_TRACES_EXPORTER: 'none' }).traces).toBeNull()
    for (const [name, value] of [
      ['OTEL_EXPORTER_OTLP_PROTOCOL', 'udp'],
      ['OTEL_TRACES_SAMPLER', 'some'],
      ['OTEL_TRACES_SAMPLER_ARG', '1 %'],
    ] as const) {
      expect(() => readConfig({ ...given, [name]: value })).toThrow(new RegExp(`^${name} must be .*not "${value}"$`))
    }
  })

  it('read lists, flags and addresses', () => {
    expect(
      readConfig({
        PORT: '80',
        PUBLIC_URL: 'https://desk.example.com/',
        ALLOWED_ORIGINS: 'https://a.example, http://localhost:3000',
        GRAPHIQL: '0',
        TRUST_PROXY: '1',
        EXPIRED_TOKEN_STATUS: '401',
        LINK_HOSTS: 'crm.example, http://localhost:8080',
      }),
    ).toMatchObject({
      port: 80,
      publicUrl: 'https://desk.example.com',
      allowedOrigins: ['https://a.example', 'http://localhost:3000'],
      graphiql: false,
      trustProxy: 1,
      expiredTokenStatus: 401,
      linkOrigins: ['https://crm.example', 'http://localhost:8080'],
    })
  })

  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318', 'an address that begins with http://'],
    ['PORT', 'abc', '"abc"'],
    ['PORT', '70000', 'from 0 to 65535'],
    ['PORT', '1.5', 'whole number'],
    ['EXPIRED_TOKEN_STATUS', '402', '401 or 403'],
    ['GRAPHIQL', 'maybe', 'true, false'],
    ['LOG_LEVEL', 'loud', 'debug'],
    ['DATABASE_POOL_SIZE', '1', 'from 2'],
    ['PUBLIC_URL', 'desk.example.com', 'https://'],
    ['ADMIN_EMAIL', 'somebody', 'an email address'],
    ['ALLOWED_ORIGINS', 'https://a.example/', 'is not an origin'],
    ['ALLOWED_ORIGINS', 'a.example', 'is not an origin'],
    ['LINK_HOSTS', 'crm.example/path', 'is not a host'],
    ['LINK_HOSTS', '*.example', 'is not a host'],
  ])('are refused by name: %s=%s', (name, value, words) => {
    expect(() => readConfig({ [name]: value })).toThrow(name)
    expect(() => readConfig({ [name]: value })).toThrow(words)
  })

  it.each([
    ['DATABASE_URL', 'mysql://user:hunter2hunter2@host/database'],
    ['REDIS_URL', 'http://:hunter2hunter2@host'],
    ['SMTP_URL', 'user:hunter2hunter2@host'],
    ['ADMIN_PASSWORD', 'hunter2'],
  ])('are refused without the value when it may hold a secret: %s', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name} must be`))
    expect(() => readConfig({ [name]: value })).not.toThrow('hunter2')
  })

  it('are not passed to child processes', () => {
    const env = { PATH: '/bin', ADMIN_PASSWORD: 'hunter2hunter2', PGHOST: 'elsewhere', LC_ALL: 'tr_TR.UTF-8' }
    expect(programEnvironment(env)).toEqual({ PATH: '/bin' })
  })
})
