import { globSync } from 'node:fs'
import { relative } from 'node:path'

import Mocha from 'mocha'

const { Base } = Mocha.reporters
const { EVENT_RUN_END, EVENT_SUITE_BEGIN, EVENT_SUITE_END, EVENT_TEST_FAIL, EVENT_TEST_PASS } =
  Mocha.Runner.constants

/**
 * A line for each file: which one it is of how many, a dot for each test that passed, and at its end how
 * many they were and how long they took. What fails is told at once, and in full after the last file.
 * Of files that run side by side it hears when they have ended, and writes the line of each in one go:
 * lanes write of their own what begins in them.
 */
export default class FileReporter extends Base {
  readonly #files: number
  /** Whether it hears of each test when that has ended. */
  readonly #isLive: boolean
  #line = ''
  #begun = 0
  #file: { readonly path: string; passed: number; failed: number; tookMs: number } | null = null

  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions & { readonly spec?: string[] }) {
    super(runner, options)
    const loaded = new Set(runner.suite.suites.map(({ file }) => file))
    this.#isLive = loaded.size > 0
    this.#files = this.#isLive ? loaded.size : globSync(options.spec ?? []).length
    runner.on(EVENT_SUITE_BEGIN, ({ file, parent }: Mocha.Suite) => {
      if (parent?.root === true && file !== undefined) this.#inFile(file)
    })
    runner.on(EVENT_TEST_PASS, (test: Mocha.Test) => {
      this.#count('passed', test)
      this.#write('.')
    })
    runner.on(EVENT_TEST_FAIL, (test: Mocha.Runnable, error: Error) => {
      this.#count('failed', test)
      this.#write(`\n  FAILED ${test.fullTitle()}\n    ${firstLine(error)}\n  `)
    })
    // Each lane has a root of its own for each of its files.
    runner.on(EVENT_SUITE_END, ({ root }: Mocha.Suite) => {
      if (root) this.#endFile()
    })
    runner.once(EVENT_RUN_END, () => {
      this.#endFile()
      this.epilogue()
    })
  }

  #inFile(path: string): void {
    if (path === this.#file?.path) return
    this.#endFile()
    this.#begun++
    this.#file = { path, passed: 0, failed: 0, tookMs: 0 }
    const nth = String(this.#begun).padStart(String(this.#files).length)
    this.#write(`[${nth}/${this.#files}] ${relative(process.cwd(), path)} `)
  }

  #endFile(): void {
    if (this.#file === null) return
    const { passed, failed, tookMs } = this.#file
    const failures = failed === 0 ? '' : `, ${failed} failed`
    const end = ` ${passed} passed${failures}, ${(tookMs / 1000).toFixed(1)} s\n`
    process.stdout.write(this.#line + end)
    this.#line = ''
    this.#file = null
  }

  #write(text: string): void {
    if (this.#isLive) process.stdout.write(text)
    else this.#line += text
  }

  #count(how: 'passed' | 'failed', { file, duration = 0 }: Mocha.Runnable): void {
    if (file !== undefined) this.#inFile(file)
    if (this.#file === null) return
    this.#file[how]++
    this.#file.tookMs += duration
  }
}

const firstLine = ({ message }: Error) => message.split('\n', 1)[0] ?? ''
