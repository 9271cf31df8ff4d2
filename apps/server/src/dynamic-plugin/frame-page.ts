import { hash } from 'node:crypto'

/**
 * Runs a plugin: the page around this frame sends the module, then what to draw, over one port. The module is imported only here,
 * where the page has an origin of its own, no cookies, and may open no connection.
 * @see packages/charts/src/views/plugin/PluginFrame.tsx for the other side
 */
const script = `
const say = (port, type, more) => port.postMessage({ type, ...more })
const textOf = (error) => String((error && error.message) || error).slice(0, 500)
for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport']) delete globalThis[name]
addEventListener('message', async (event) => {
  const [port] = event.ports
  if (event.source !== parent || !port || globalThis.started) return
  globalThis.started = true
  const fail = (error) => say(port, 'failed', { message: textOf(error) })
  addEventListener('error', (failure) => fail(failure.error || failure.message))
  addEventListener('unhandledrejection', (failure) => fail(failure.reason))
  const url = URL.createObjectURL(new Blob([event.data.module], { type: 'text/javascript' }))
  let plugin
  try {
    const found = await import(url)
    plugin = typeof found.mount === 'function' ? found : found.default
    if (!plugin || typeof plugin.mount !== 'function') throw new Error('The module exports no function mount.')
    const { viz_type, name, form = [] } = plugin
    say(port, 'loaded', { plugin: JSON.parse(JSON.stringify({ viz_type, name, form })) })
  } catch (error) {
    return fail(error)
  }
  let leave
  const draw = async (data) => {
    try {
      if (typeof leave === 'function') leave()
      leave = undefined
      const element = document.createElement('div')
      element.style.cssText = 'position: absolute; inset: 0; overflow: auto'
      document.body.replaceChildren(element)
      document.documentElement.style.cssText =
        'color-scheme: ' + data.theme.mode + '; color: ' + data.theme.text + '; background: ' + data.theme.background +
        '; font: 13px ' + data.theme.font
      leave = await plugin.mount(element, data)
      say(port, 'drawn')
    } catch (error) {
      fail(error)
    }
  }
  let drawing = Promise.resolve()
  port.onmessage = ({ data }) => {
    drawing = drawing.then(() => draw(data))
  }
})
`

/** The page of the frame; it is the same for all plugins and contains no data. */
export const framePage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Chart</title><body style="margin: 0"><script type="module">${script}</script></body></html>`

const scriptHash = hash('sha256', script, 'base64')

/**
 * Makes the frame a sandbox even when it is opened as a page, and refuses every connection. Modules may compile code from text, as
 * libraries for charts do: they can run any code here anyway.
 */
export const framePolicy = [
  'sandbox allow-scripts',
  "default-src 'none'",
  `script-src 'sha256-${scriptHash}' blob: 'unsafe-eval'`,
  "style-src 'unsafe-inline'",
  'img-src data: blob:',
  'font-src data:',
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join('; ')
