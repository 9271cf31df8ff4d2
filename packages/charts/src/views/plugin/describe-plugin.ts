import { pluginTimeoutMs, readFrameMessage, startModule, type PluginDescription } from './plugin-connection.ts'

/**
 * Runs a module in a sandbox until it reports its chart type, without drawing anything.
 * @throws Error with the message of the module; `TimeoutError` when it takes longer than `pluginTimeoutMs`
 */
export async function describePlugin(module: string): Promise<PluginDescription> {
  const frame = document.createElement('iframe')
  frame.sandbox.add('allow-scripts')
  frame.src = '/dynamic-plugins/frame'
  frame.hidden = true
  const end = new AbortController()
  const timer = setTimeout(() => end.abort(new DOMException('timeout', 'TimeoutError')), pluginTimeoutMs)
  try {
    const started = startModule(frame, Promise.resolve(module), end.signal)
    document.body.append(frame)
    const port = await started
    return await new Promise((resolve, reject) => {
      end.signal.addEventListener('abort', () => reject(end.signal.reason as Error))
      port.onmessage = ({ data }) => {
        const received = readFrameMessage(data)
        if (received?.type === 'loaded') resolve(received.plugin)
        if (received?.type === 'failed') reject(new Error(received.message))
      }
    })
  } finally {
    clearTimeout(timer)
    frame.remove()
  }
}
