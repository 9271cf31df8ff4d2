import type { DynamicPlugin } from '@parquetry/model'
import type { PluginInput } from './plugin-input.ts'
import { markFinished, markStarted } from './unfinished-plugins.ts'

export type PluginFailure =
  | { kind: 'error'; message: string }
  | { kind: 'slow'; seconds: number }
  /** The server has no such module: it was replaced or deleted after the page was loaded. */
  | { kind: 'missing' }
  | { kind: 'otherType'; type: string }
  /** It has frozen the page before. */
  | { kind: 'froze' }

interface Listener {
  onDrawn(): void
  onFailed(failure: PluginFailure): void
}

/** A plugin must draw within this time, from the start of its frame and after each change. */
export const pluginTimeoutMs = 5000

/** The exports of a module that describe its chart type, not validated. */
export interface PluginDescription {
  viz_type?: unknown
  name?: unknown
  form?: unknown
}

type FrameMessage =
  | { type: 'loaded'; plugin: PluginDescription }
  | { type: 'drawn' }
  | { type: 'failed'; message: string }

class ModuleMissingError extends Error {}

/** Fetches the module of a plugin with the session of the page. @throws ModuleMissingError when it was replaced or deleted */
async function fetchModule({ bundle_url }: DynamicPlugin, signal: AbortSignal): Promise<string> {
  const response = await fetch(bundle_url, { signal })
  if (response.status === 404) throw new ModuleMissingError()
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`.trim())
  return response.text()
}

/**
 * Sends a module into the sandbox of a frame (`apps/server/src/dynamic-plugin/frame-page.ts`) that has begun to load. @returns the
 * port to it, which is the only connection: messages of other windows are not read
 */
export async function startModule(
  frame: HTMLIFrameElement,
  module: Promise<string>,
  signal: AbortSignal,
): Promise<MessagePort> {
  const loaded = new Promise<void>((resolve, reject) => {
    frame.addEventListener('load', () => resolve(), { once: true, signal })
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
  const [source] = await Promise.all([module, loaded])
  const { port1, port2 } = new MessageChannel()
  // The sandbox has an origin without a name, so any origin is the target; the message contains no data.
  frame.contentWindow?.postMessage({ module: source }, '*', [port2])
  return port1
}

/** Reads a message of a plugin, which may be anything; null when it is none that we know. */
export function readFrameMessage(data: unknown): FrameMessage | null {
  const { type, message, plugin } = (typeof data === 'object' && data !== null ? data : {}) as Record<string, unknown>
  if (type === 'drawn') return { type }
  if (type === 'failed') return { type, message: String(message).slice(0, 500) }
  if (type === 'loaded' && typeof plugin === 'object' && plugin !== null) return { type, plugin }
  return null
}

/** The connection of a chart to its plugin: loads the module, and draws the latest input. */
export class PluginConnection {
  readonly #closing = new AbortController()
  readonly #plugin: DynamicPlugin
  readonly #listener: Listener
  #port: MessagePort | null = null
  #isLoaded = false
  #pending: PluginInput | null = null
  /** Number of inputs that were sent and have not been drawn yet. */
  #drawing = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(frame: HTMLIFrameElement, plugin: DynamicPlugin, listener: Listener) {
    this.#plugin = plugin
    this.#listener = listener
    this.#startTimer()
    this.#open(frame).catch((error: unknown) =>
      this.#fail(
        error instanceof ModuleMissingError
          ? { kind: 'missing' }
          : { kind: 'error', message: (error as Error).message },
      ),
    )
  }

  /** Draws these rows and settings, once the module has loaded. */
  draw(input: PluginInput): void {
    this.#pending = input
    if (this.#isLoaded) this.#sendPending()
  }

  close(): void {
    this.#closing.abort()
    clearTimeout(this.#timer)
    markFinished(this.#plugin, this)
    this.#port?.close()
  }

  async #open(frame: HTMLIFrameElement): Promise<void> {
    const { signal } = this.#closing
    const port = await startModule(frame, fetchModule(this.#plugin, signal), signal)
    if (signal.aborted) return port.close()
    this.#port = port
    port.onmessage = ({ data }) => this.#receive(data)
  }

  #receive(data: unknown): void {
    if (this.#closing.signal.aborted) return
    const received = readFrameMessage(data)
    if (received?.type === 'failed') this.#fail({ kind: 'error', message: received.message })
    if (received?.type === 'loaded') {
      const { viz_type } = received.plugin
      if (viz_type !== this.#plugin.key) return this.#fail({ kind: 'otherType', type: String(viz_type) })
      this.#isLoaded = true
      this.#sendPending()
    }
    if (received?.type === 'drawn') {
      this.#drawing -= 1
      if (this.#drawing > 0) return
      clearTimeout(this.#timer)
      markFinished(this.#plugin, this)
      this.#listener.onDrawn()
    }
  }

  #sendPending(): void {
    if (!this.#pending) return
    this.#startTimer()
    this.#drawing += 1
    this.#port?.postMessage(this.#pending)
    this.#pending = null
  }

  #startTimer(): void {
    clearTimeout(this.#timer)
    markStarted(this.#plugin, this)
    this.#timer = setTimeout(() => this.#fail({ kind: 'slow', seconds: pluginTimeoutMs / 1000 }), pluginTimeoutMs)
  }

  #fail(failure: PluginFailure): void {
    if (this.#closing.signal.aborted) return
    this.close()
    // oxlint-disable-next-line no-console -- for the author of the plugin
    console.error(`The plugin ${this.#plugin.key} failed.`, failure)
    this.#listener.onFailed(failure)
  }
}
