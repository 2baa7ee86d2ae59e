import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../bench/chaos/free-port.js'
import { MUST_RUN_ALL } from '../support/programs.js'
import { makeKey } from './saml-signer.js'

const ROOT = '/usr/share/simplesamlphp/www'
const PHP = '/usr/bin/php'

/** True if Debian's packages `simplesamlphp` and `php-cli` are installed. */
export const hasSimpleSamlPhp = existsSync(ROOT) && existsSync(PHP)
if (!hasSimpleSamlPhp && MUST_RUN_ALL) throw new Error('REQUIRE_ALL_SUITES is set, but there is no simplesamlphp')

export interface SimpleSamlPhp {
  /** Address of its metadata, which is its entity id as well. */
  metadata: string
  /** Makes an application known by its metadata's addresses. */
  register(application: { entity: string; consumer: string }): void
  close(): Promise<void>
}

/** Attributes of people by `name:password`. */
export type People = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>

const php = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(php).join(',')}]`
  if (typeof value === 'object' && value !== null)
    return `[${Object.entries(value)
      .map(([key, each]) => `${/^\d+$/.test(key) ? key : php(key)}=>${php(each)}`)
      .join(',')}]`
  return typeof value === 'string' ? `'${value.replaceAll(/['\\]/g, '\\$&')}'` : String(value)
}

/** Starts Debian's SimpleSAMLphp as an identity provider, on loopback, with people of its own. */
export async function startSimpleSamlPhp(people: People): Promise<SimpleSamlPhp> {
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const folder = mkdtempSync(join(tmpdir(), 'simplesamlphp-'))
  for (const name of ['cert', 'metadata', 'log', 'data', 'tmp', 'sessions']) mkdirSync(join(folder, name))
  const { key, certificate } = makeKey()
  writeFileSync(join(folder, 'cert/idp.pem'), key)
  writeFileSync(join(folder, 'cert/idp.crt'), `${certificate}\n`)
  const config = {
    baseurlpath: `${base}/`,
    certdir: `${folder}/cert/`,
    loggingdir: `${folder}/log/`,
    datadir: `${folder}/data/`,
    tempdir: `${folder}/tmp/`,
    metadatadir: `${folder}/metadata/`,
    secretsalt: 'a salt of the tests',
    timezone: 'UTC',
    technicalcontact_email: 'na@example.org',
    'auth.adminpassword': 'not 123',
    'enable.saml20-idp': true,
    'module.enable': { exampleauth: true, core: true, saml: true },
    'logging.handler': 'file',
    'store.type': 'phpsession',
    'session.phpsession.savepath': `${folder}/sessions`,
    'session.phpsession.cookiename': 'SimpleSAML',
    'session.cookie.secure': false,
    'metadata.sources': [{ type: 'flatfile' }],
    'language.default': 'en',
  }
  const entity = `${base}/saml2/idp/metadata.php`
  const hosted = {
    host: '__DEFAULT__',
    privatekey: 'idp.pem',
    certificate: 'idp.crt',
    auth: 'people',
    'saml20.sign.assertion': true,
    authproc: {
      3: {
        class: 'saml:AttributeNameID',
        attribute: 'uid',
        Format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
      },
    },
    NameIDFormat: ['urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'],
  }
  writeFileSync(join(folder, 'config.php'), `<?php $config = ${php(config)};`)
  writeFileSync(
    join(folder, 'authsources.php'),
    `<?php $config = ['people' => array_merge(['exampleauth:UserPass'], ${php(people)})];`,
  )
  writeFileSync(join(folder, 'metadata/saml20-idp-hosted.php'), `<?php $metadata[${php(entity)}] = ${php(hosted)};`)
  const register: SimpleSamlPhp['register'] = ({ entity: id, consumer }) =>
    writeFileSync(
      join(folder, 'metadata/saml20-sp-remote.php'),
      `<?php $metadata[${php(id)}] = ${php({ AssertionConsumerService: consumer })};`,
    )
  register({ entity: 'none', consumer: base })
  const served = spawn(PHP, ['-S', `127.0.0.1:${port}`, '-t', ROOT], {
    env: { ...process.env, SIMPLESAMLPHP_CONFIG_DIR: folder },
    stdio: 'ignore',
  })
  const ended = new Promise((resolve) => void served.once('exit', resolve))
  while ((await fetch(entity).catch(() => null)) === null) await new Promise((resolve) => setTimeout(resolve, 50))
  return {
    metadata: entity,
    register,
    async close() {
      served.kill()
      await ended
      rmSync(folder, { recursive: true })
    },
  }
}
