import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { expect } from 'chai'
import { parse, parseAllDocuments } from 'yaml'

import { readConfig } from '../../src/config/config.ts'
import { SETTINGS } from '../../src/config/settings.ts'
import { WORKER_ROUTES } from '../../src/http/routes/index.ts'
import { runCli } from '../support/cli.ts'
import { TEST_ENCRYPTION_KEYS } from '../support/factories.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

type Environment = Readonly<Record<string, string>>

interface ComposeService {
  readonly command?: readonly string[]
  readonly environment?: Environment
  readonly image?: string
  readonly init?: boolean
  readonly ports?: readonly string[]
  readonly stop_grace_period?: string
}

interface Container {
  readonly args: readonly string[]
  readonly image: string
  readonly env: readonly { readonly name: string; readonly value: string }[]
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[]
  readonly startupProbe?: Probe
  readonly livenessProbe?: Probe
  readonly readinessProbe?: Probe
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[]
}

type Labels = Readonly<Record<string, string>>

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string }
}

interface Workload {
  readonly kind: string
  readonly metadata: { readonly labels?: Labels }
  readonly spec: {
    readonly template: {
      readonly metadata: { readonly labels: Labels }
      readonly spec: {
        readonly containers: readonly [Container]
        readonly terminationGracePeriodSeconds?: number
        readonly volumes: readonly { readonly name: string }[]
      }
    }
  }
}

const SETTING_NAMES = Object.keys(SETTINGS).flatMap((name) => [name, `${name}_FILE`])
/** Of the system and of Node, which our settings leave to them. */
const OTHER_NAMES = ['NODE_ENV', 'NODE_COMPILE_CACHE', 'TMPDIR', 'HOME']

function imageEnvironment(): Environment {
  const lines = [...read('Dockerfile').matchAll(/^ENV (.+)$/gm)].map(([, line]) => line!)
  return Object.fromEntries(
    lines.flatMap((line) => line.split(' ')).map((pair) => pair.split('=') as [string, string]),
  )
}

/** All that somebody would type behind the name of the image: the words without options. */
const wordsOf = (command: readonly string[] = ['serve']) => command.slice(0, 1)

describe('the files for containers', () => {
  let commands: readonly string[]
  before('asks for the commands', async () => {
    const { stdout } = await runCli(['--help'], {})
    commands = [...stdout.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name!)
    expect(commands).to.include.members(['serve', 'worker', 'migrate'])
  })

  describe('Dockerfile', () => {
    it('sets what exists', () => {
      expect([...SETTING_NAMES, ...OTHER_NAMES]).to.include.members(Object.keys(imageEnvironment()))
    })

    it('copies only files that exist and that .dockerignore lets through', () => {
      const allowed = read('.dockerignore')
        .split('\n')
        .filter((line) => line.startsWith('!'))
        .map((line) => line.slice(1))
      const copied = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(
        ([, sources]) => sources!.split(' '),
      )
      expect(copied.toSorted()).to.include.members(allowed)
      for (const source of copied) {
        expect(existsSync(join(ROOT, source)), source).to.equal(true)
        expect(allowed).to.include(source)
      }
    })

    it('runs the Node that the package asks for', () => {
      const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } }
      const major = /\d+/.exec(engines.node)![0]
      expect(read('Dockerfile')).to.match(new RegExp(`^ARG NODE_IMAGE=node:${major}\\b`, 'm'))
    })

    it('names a user by number, in group 0', () => {
      expect(read('Dockerfile')).to.match(/^USER \d+:0$/m)
    })
  })

  describe('compose.yaml', () => {
    const { services } = parse(read('compose.yaml'), { merge: true }) as {
      services: Readonly<Record<string, ComposeService>>
    }
    const ours = Object.entries(services).filter(
      ([, { image }]) => image === 'administration-service',
    )

    for (const [name, service] of ours) {
      it(`runs a command that there is: ${name}`, () => {
        expect(commands).to.include.members(wordsOf(service.command))
      })

      it(`passes signals on and waits for longer than the service does: ${name}`, () => {
        expect(service.init).to.equal(true)
        if (service.environment === undefined) return
        const { shutdownGraceMs } = readConfig(service.environment).server
        expect(Number.parseInt(service.stop_grace_period!, 10) * 1000).to.be.above(shutdownGraceMs)
      })

      it(`gives settings that exist, with values that the service takes: ${name}`, () => {
        const environment = { ...imageEnvironment(), ...service.environment }
        expect([...SETTING_NAMES, ...OTHER_NAMES]).to.include.members(Object.keys(environment))
        if (service.environment === undefined) return
        const config = readConfig(environment)
        expect([config.embedded, config.storage.kind]).to.deep.equal([false, 's3'])
      })
    }

    it('can be scaled: nothing that has replicas has a port of the host', () => {
      for (const name of ['service', 'worker']) expect(services[name]!.ports).to.equal(undefined)
      expect(services['proxy']!.ports).to.deep.equal(['127.0.0.1:3000:3000'])
    })

    it('leads the demo world to its forms application, which the service may reach', () => {
      const { demo, forms, service } = services
      const url = new URL(demo!.command!.at(-1)!)
      expect(url.hostname).to.equal('forms')
      expect(forms!.command!.at(-1)).to.equal(url.port)
      expect(readConfig(service!.environment!).outbound.allow).to.deep.equal([url.host])
    })
  })

  describe('deploy/kubernetes', () => {
    const { resources } = parse(read('deploy/kubernetes/kustomization.yaml')) as {
      resources: readonly string[]
    }
    const documents = resources.flatMap((file) =>
      parseAllDocuments(read(`deploy/kubernetes/${file}`)).map(
        (document) => document.toJS() as Workload,
      ),
    )
    const workloads = documents.filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
    const settings = Object.fromEntries(
      read('deploy/kubernetes/settings.env')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => line.split(/=(.*)/).slice(0, 2) as [string, string]),
    )

    it('has what the API, the workers and the migration need', () => {
      expect(
        workloads.map(({ spec }) => spec.template.spec.containers[0].args),
      ).to.have.deep.members([['serve'], ['worker'], ['migrate']])
    })

    it('can be applied without its processes, so that the database is migrated before they come', () => {
      const PART = 'app.kubernetes.io/component'
      const command = /kubectl apply -k \. -l '(\S+) notin \((.+)\)'/.exec(
        read('docs/containers.md'),
      )
      expect(command?.[1]).to.equal(PART)
      const left = workloads.filter(({ metadata }) =>
        command![2]!.split(', ').includes(metadata.labels?.[PART] ?? ''),
      )
      expect(left).to.deep.equal(workloads.filter(({ kind }) => kind === 'Deployment'))
      for (const { metadata, spec } of workloads) {
        expect(metadata.labels).to.deep.equal(spec.template.metadata.labels)
      }
    })

    it('scales, protects and leads to what there is', () => {
      interface Manifest {
        readonly kind: string
        readonly metadata: { readonly name: string }
        readonly spec: {
          readonly scaleTargetRef?: { readonly name: string }
          readonly selector?: { readonly matchLabels?: Readonly<Record<string, string>> }
          readonly rules?: readonly {
            readonly host: string
            readonly http: {
              readonly paths: readonly {
                readonly backend: { readonly service: { name: string } }
              }[]
            }
          }[]
          readonly tls?: readonly { readonly hosts: readonly string[] }[]
        }
      }
      const all = resources.flatMap((file) =>
        parseAllDocuments(read(`deploy/kubernetes/${file}`)).map((each) => each.toJS() as Manifest),
      )
      const ofKind = (kind: string) => all.filter((each) => each.kind === kind)
      const named = (kind: string) => ofKind(kind).map(({ metadata }) => metadata.name)
      const scaled = ofKind('HorizontalPodAutoscaler').map(({ spec }) => spec.scaleTargetRef!.name)
      expect(scaled).to.have.members(named('Deployment'))
      const labels = (kind: string) => ofKind(kind).map(({ spec }) => spec.selector!.matchLabels)
      expect(labels('PodDisruptionBudget')).to.have.deep.members(labels('Deployment'))
      const [ingress] = ofKind('Ingress')
      const { rules, tls } = ingress!.spec
      const { host } = new URL(/PUBLIC_URL=(.*)/.exec(read('deploy/kubernetes/settings.env'))![1]!)
      expect(rules!.map((rule) => rule.host)).to.deep.equal([host])
      expect(tls![0]!.hosts).to.deep.equal([host])
      const led = rules![0]!.http.paths.map(({ backend }) => backend.service.name)
      expect(named('Service')).to.include.members(led)
    })

    it('gives settings that exist, with values that the service takes', () => {
      const config = readConfig({
        ...imageEnvironment(),
        ...settings,
        DATABASE_URL: 'postgres://u:p@db/app',
        AUTH_SECRET: 'x'.repeat(32),
        ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
        SMTP_URL: 'smtps://mail',
      })
      expect(config.temporary.setting).to.equal('TMPDIR')
      expect([...SETTING_NAMES, ...OTHER_NAMES]).to.include.members(Object.keys(settings))
    })

    for (const { kind, spec } of workloads) {
      const { containers, terminationGracePeriodSeconds, volumes } = spec.template.spec
      const [container] = containers
      const name = `${kind} ${container.args.join(' ')}`

      it(`runs a command that there is: ${name}`, () => {
        expect(commands).to.include.members(container.args)
      })

      it(`reads secrets from files that are mounted: ${name}`, () => {
        const mounted = container.volumeMounts.map(({ mountPath }) => mountPath)
        for (const { name: variable, value } of container.env) {
          expect(SETTING_NAMES).to.include(variable)
          expect(
            mounted.some((path) => value.startsWith(`${path}/`)),
            value,
          ).to.equal(true)
        }
        expect(volumes.map((volume) => volume.name)).to.have.members(
          container.volumeMounts.map((mount) => mount.name),
        )
      })

      if (kind === 'Deployment') {
        it(`asks for its health where it answers: ${name}`, () => {
          const paths = WORKER_ROUTES.map((route) => route.spec.path)
          const { startupProbe, livenessProbe, readinessProbe } = container
          for (const probe of [startupProbe, livenessProbe, readinessProbe]) {
            expect(paths).to.include(probe!.httpGet.path)
            expect(probe!.httpGet.port).to.equal(container.ports![0]!.name)
          }
          const { PORT, WORKER_PORT } = { ...imageEnvironment(), ...settings }
          const port = container.args[0] === 'worker' ? WORKER_PORT : PORT
          expect(String(container.ports![0]!.containerPort)).to.equal(port)
        })

        it(`waits for longer than the service does: ${name}`, () => {
          const { shutdownGraceMs } = readConfig({}).server
          expect(terminationGracePeriodSeconds! * 1000).to.be.above(2 * shutdownGraceMs)
        })
      }
    }
  })
})
