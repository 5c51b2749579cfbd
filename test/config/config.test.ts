import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect } from 'chai'

import { ConfigError, readConfig } from '../../src/config/config.ts'
import { useFolder } from '../support/folder.ts'

const problemsOf = (environment: NodeJS.ProcessEnv): readonly string[] => {
  try {
    readConfig(environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

const SECRET = 'x'.repeat(32)
const KEYS = `k:${Buffer.alloc(32, 1).toString('base64')}`
const EXTERNAL = {
  DATABASE_URL: 'postgres://u:p@db/app',
  AUTH_SECRET: SECRET,
  ENCRYPTION_KEYS: KEYS,
}

describe('settings', () => {
  it('are all optional for a first start, which then uses nothing but this machine', () => {
    const config = readConfig({})
    expect(config.embedded).to.equal(true)
    expect(config.server).to.include({ host: '127.0.0.1', port: 3000 })
    expect(config.storage.kind).to.equal('local')
    expect(config.mail.kind).to.equal('folder')
    expect(config.jobs.heartbeatMs).to.equal(5000)
  })

  it('are named all at once when they are wrong, with what they should be', () => {
    const problems = problemsOf({
      PORT: '70000',
      TOKEN_TTL: '8 hours',
      MAX_BODY_SIZE: '1 MB',
      LOG_LEVEL: 'loud',
    })
    expect(problems.map((line) => line.split(' ')[0])).to.have.members([
      'PORT',
      'TOKEN_TTL',
      'MAX_BODY_SIZE',
      'LOG_LEVEL',
    ])
    expect(problems[0]).to.match(/^PORT should be a whole number from 0 to 65535$/)
  })

  it('never repeat a wrong value, which may be a secret in the wrong place', () => {
    expect(problemsOf({ PORT: 'hunter2' }).join()).not.to.include('hunter2')
  })

  it('are reported together with all others although another module parses them', () => {
    const secret = 'secret'.repeat(7)
    const problems = problemsOf({
      PORT: '70000',
      ENCRYPTION_KEYS: `${KEYS},b:${secret}`,
      OUTBOUND_ALLOW: 'forms.internal,http://10.0.0.1',
    })
    expect(problems.map((line) => line.split(' should be ')[0])).to.have.members([
      'PORT',
      'ENCRYPTION_KEYS',
      'OUTBOUND_ALLOW',
    ])
    const text = problems.join('\n')
    expect(text).to.include('key number 2').and.include("'http://10.0.0.1'")
    expect(text).not.to.include(secret).and.not.include(KEYS)
  })

  it('require the secrets once the database is not the embedded one', () => {
    const problems = problemsOf({ DATABASE_URL: 'postgres://u:p@db/app' })
    expect(problems.join('\n'))
      .to.match(/ENCRYPTION_KEYS is required/)
      .and.match(/AUTH_SECRET is required/)
    expect(problemsOf(EXTERNAL)).to.deep.equal([])
  })

  it('take either a secret or the key set of an identity provider', () => {
    const jwks = { AUTH_JWKS_URL: 'https://id.test/keys' }
    expect(problemsOf({ ...EXTERNAL, ...jwks }).join()).to.match(/exclude each other/)
    const { AUTH_SECRET: _secret, ...rest } = EXTERNAL
    expect(problemsOf({ ...rest, ...jwks })).to.deep.equal([])
    expect(readConfig({ ...rest, ...jwks }).auth.login).to.equal(false)
  })

  it('refuse a short secret and an unknown signature algorithm', () => {
    expect(problemsOf({ AUTH_SECRET: 'short' }).join()).to.match(/at least 32 bytes/)
    expect(problemsOf({ AUTH_ALGORITHMS: 'none' }).join()).to.match(
      /AUTH_ALGORITHMS should be one of/,
    )
    expect(problemsOf({ AUTH_ALGORITHMS: 'HS256' }).join()).to.match(
      /AUTH_ALGORITHMS should be one of/,
    )
  })

  for (const [name, text] of [
    ['TOKEN_TTL', '0s'],
    ['JOB_HEARTBEAT', '0ms'],
    ['UPLOAD_IDLE_TIMEOUT', '25d'],
    ['DOWNLOAD_LINK_TTL', '8d'],
    ['MAX_BODY_SIZE', '0B'],
    ['AUTH_ALGORITHMS', ','],
    ['CORS_ORIGINS', 'https://app.test/'],
    ['CORS_ORIGINS', 'app.test'],
  ] as const) {
    it(`are refused where they could never work: ${name}=${text}`, () => {
      expect(problemsOf({ [name]: text }).join()).to.match(new RegExp(`^${name} should be `))
    })
  }

  it('may be zero where zero has a meaning', () => {
    const config = readConfig({ SHUTDOWN_GRACE: '0s', FOLDER_DELETE_NOTICE_AFTER: '0s' })
    expect(config.server.shutdownGraceMs).to.equal(0)
  })

  for (const [name, other] of [
    ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
    ['S3_SECRET_ACCESS_KEY', 'S3_ACCESS_KEY_ID'],
    ['S3_PUBLIC_ENDPOINT', 'S3_BUCKET'],
  ] as const) {
    it(`say that ${name} needs ${other}`, () => {
      const problems = problemsOf({ [name]: 'https://s3.test' })
      expect(problems).to.deep.equal([`${other} is required with ${name}`])
    })
  }

  it('take an empty variable for an unset one', () => {
    expect(readConfig({ DATABASE_URL: '', PORT: '' }).embedded).to.equal(true)
  })

  for (const [text, bytes] of [
    ['512KB', 512 * 1024],
    ['50MB', 50 * 1024 ** 2],
    ['10GB', 10 * 1024 ** 3],
  ] as const) {
    it(`read ${text} as ${bytes} bytes`, () => {
      expect(readConfig({ MAX_UPLOAD_SIZE: text }).server.maxUploadBytes).to.equal(bytes)
    })
  }
})

describe('settings in files', () => {
  const folder = useFolder('settings')
  const file = (name: string, text: string) => {
    const path = join(folder.path, name)
    writeFileSync(path, text)
    return path
  }

  it('are read like variables, without the line break at their end', () => {
    const config = readConfig({
      DATABASE_URL_FILE: file('url', 'postgres://u:p@db/app\n'),
      AUTH_SECRET_FILE: file('secret', `${SECRET} \r\n`),
      ENCRYPTION_KEYS_FILE: file('keys', KEYS),
      SHUTDOWN_GRACE_FILE: file('grace', '3s'),
    })
    const url = 'postgres://u:p@db/app'
    expect(config.database).to.deep.equal({ kind: 'external', url, sessionUrl: url })
    expect(config.auth.keys).to.deep.equal({ kind: 'secret', secret: `${SECRET} ` })
    expect(config.encryptionKeys).to.equal(KEYS)
    expect(config.server.shutdownGraceMs).to.equal(3000)
  })

  it('are named with their file where it cannot be read, and never with what is in it', () => {
    const problems = problemsOf({
      ...EXTERNAL,
      AUTH_SECRET: '',
      AUTH_SECRET_FILE: file('short', 'hunter2'),
      S3_BUCKET_FILE: join(folder.path, 'absent'),
      SMTP_URL_FILE: folder.path,
      MAIL_FROM_FILE: file('empty', '\n'),
    })
    expect(problems).to.have.members([
      'AUTH_SECRET should be text of at least 32 bytes',
      `S3_BUCKET should be in the file ${folder.path}/absent (S3_BUCKET_FILE), which does not exist`,
      `SMTP_URL should be in the file ${folder.path} (SMTP_URL_FILE), which is a folder`,
      `MAIL_FROM should be in the file ${folder.path}/empty (MAIL_FROM_FILE), which is empty`,
    ])
  })

  it('exclude the variable', () => {
    const problems = problemsOf({ PORT: '1', PORT_FILE: file('port', '2') })
    expect(problems).to.deep.equal(['PORT should be set by PORT or by PORT_FILE, not by both'])
  })
})
