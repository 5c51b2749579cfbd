import { relative } from 'node:path'

import Mocha from 'mocha'

const { Base } = Mocha.reporters
const { EVENT_RUN_END, EVENT_SUITE_BEGIN, EVENT_TEST_FAIL, EVENT_TEST_PASS } =
  Mocha.Runner.constants

/**
 * A line for each file: which one it is of how many, a dot for each test that passed, and at its end how
 * many they were and how long they took. What fails is told at once, and in full after the last file.
 */
export default class FileReporter extends Base {
  readonly #files: readonly string[]
  #begun = 0
  #ended = 0
  #file: {
    readonly path: string
    readonly begunAt: number
    passed: number
    failed: number
  } | null = null

  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options)
    this.#files = [...new Set(runner.suite.suites.map(({ file }) => file ?? ''))]
    runner.on(EVENT_SUITE_BEGIN, ({ file, parent }: Mocha.Suite) => {
      if (parent?.root === true && file !== this.#file?.path) this.#beginFile(file ?? '')
    })
    runner.on(EVENT_TEST_PASS, () => {
      this.#count('passed')
      process.stdout.write('.')
    })
    runner.on(EVENT_TEST_FAIL, (test: Mocha.Runnable, error: Error) => {
      this.#count('failed')
      process.stdout.write(`\n  FAILED ${test.fullTitle()}\n    ${firstLine(error)}\n  `)
    })
    runner.once(EVENT_RUN_END, () => {
      this.#endFile()
      this.epilogue()
    })
  }

  #beginFile(path: string): void {
    this.#endFile()
    this.#begun++
    this.#file = { path, begunAt: performance.now(), passed: 0, failed: 0 }
    const nth = String(this.#begun).padStart(String(this.#files.length).length)
    const percent = String(Math.floor((100 * this.#ended) / this.runner.total)).padStart(2)
    const name = relative(process.cwd(), path)
    process.stdout.write(`[${nth}/${this.#files.length} ${percent} %] ${name} `)
  }

  #endFile(): void {
    if (this.#file === null) return
    const { passed, failed, begunAt } = this.#file
    const seconds = ((performance.now() - begunAt) / 1000).toFixed(1)
    const failures = failed === 0 ? '' : `, ${failed} failed`
    process.stdout.write(` ${passed} passed${failures}, ${seconds} s\n`)
    this.#file = null
  }

  #count(how: 'passed' | 'failed'): void {
    this.#ended++
    if (this.#file !== null) this.#file[how]++
  }
}

const firstLine = ({ message }: Error) => message.split('\n', 1)[0] ?? ''
