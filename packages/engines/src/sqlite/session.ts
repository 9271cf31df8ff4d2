import { type ChildProcess, fork } from 'node:child_process'
import type { Frame } from '@parquetry/frame'
import type { DescribeRequest, DescribeResult, Limits, Statement } from '@parquetry/model'
import { AppError, fromWire } from '@parquetry/model/errors'
import { maxFrameRows, type Session } from '../shared/driver.ts'
import { resultTooLarge } from '../shared/too-large.ts'
import type { ChildResponse, ChildRequest } from './protocol.ts'
import type { CheckedFile } from './reader.ts'

const heapMb = 512
const main = new URL('./child.ts', import.meta.url)

/** A session is a process: SQLite runs in the caller's thread and cannot be stopped from there. */
export class SqliteSession implements Session {
  #child: ChildProcess
  #timeoutMs: number
  #answer: PromiseWithResolvers<ChildResponse> | null = null
  #ended: AppError | null = null

  private constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs
    const { PATH, NODE_COMPILE_CACHE } = process.env
    this.#child = fork(main, [String(process.pid)], {
      execArgv: [`--max-old-space-size=${heapMb}`],
      env: { PATH, TZ: 'UTC', ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }) },
      serialization: 'advanced',
      stdio: ['ignore', 2, 2, 'ipc'],
    })
    this.#child.on('message', (response: ChildResponse) => this.#answer?.resolve(response))
    this.#child.once('exit', () => this.#end(new AppError('runner_lost')))
    this.#child.once('error', () => this.#end(new AppError('runner_lost')))
  }

  /** @throws AppError `connection_database` */
  static async open(file: CheckedFile, timeoutMs: number): Promise<SqliteSession> {
    const session = new SqliteSession(timeoutMs)
    try {
      await session.#ask({ ask: 'open', file })
      return session
    } catch (error) {
      await session.close()
      throw error
    }
  }

  async *run({ text, values }: Statement, limits: Limits): AsyncIterable<Frame> {
    const timer = setTimeout(() => this.#end(new AppError('query_timeout')), this.#timeoutMs)
    let left = limits.rows + 1
    let isFirst = true
    try {
      await this.#ask({ ask: 'begin', text, values, limits })
      for (;;) {
        const wanted = Math.min(maxFrameRows, left)
        const response = await this.#ask({ ask: 'next', rows: wanted })
        if (!('frame' in response)) throw new AppError('runner_lost')
        const { frame } = response
        if (measureFrame(frame) > limits.bytes) throw resultTooLarge(limits.bytes)
        left -= frame.rows
        if (frame.rows > 0 || isFirst) yield frame
        isFirst = false
        if (frame.rows < wanted || left === 0) return
      }
    } finally {
      clearTimeout(timer)
      if (!this.#ended) await this.#ask({ ask: 'drop' })
    }
  }

  cancel(): Promise<void> {
    this.#end(new AppError('query_stopped'))
    return Promise.resolve()
  }

  async describe(request: DescribeRequest): Promise<DescribeResult> {
    const timer = setTimeout(() => this.#end(new AppError('query_timeout')), this.#timeoutMs)
    try {
      const response = await this.#ask({ ask: 'describe', what: request })
      if ('described' in response) return response.described
      throw new AppError('runner_lost')
    } finally {
      clearTimeout(timer)
    }
  }

  async close(): Promise<void> {
    const { exitCode, signalCode } = this.#child
    if (exitCode !== null || signalCode !== null) return
    const exited = new Promise((resolve) => this.#child.once('exit', resolve))
    this.#end(new AppError('query_stopped'))
    await exited
  }

  /** Sends one request and returns its response. @throws the AppError that was returned, or that ended the session */
  async #ask(request: ChildRequest): Promise<ChildResponse> {
    if (this.#ended) throw this.#ended
    this.#answer = Promise.withResolvers()
    this.#child.send(request, (error) => error && this.#end(new AppError('runner_lost')))
    const response = await this.#answer.promise
    if ('error' in response) throw fromWire(response.error)
    return response
  }

  #end(error: AppError): void {
    if (this.#ended) return
    this.#ended = error
    this.#answer?.reject(error)
    this.#child.kill('SIGKILL')
  }
}

const measureFrame = (frame: Frame): number =>
  frame.columns.reduce((sum, column) => sum + ('data' in column ? column.data.byteLength : textBytes(column.text)), 0)

const textBytes = (text: { as: string; bytes?: Uint8Array; codes?: ArrayBufferView }): number =>
  text.bytes?.byteLength ?? text.codes?.byteLength ?? 0
