// `node packages/charts/src/testing/show-page.ts`: the page of all charts at an address of its own, until Ctrl-C. `?only=pie/weather`
// shows some, `&width=320` their width, `&language=en-XA` another language.
import { servePage } from './serve-page.ts'

const { url, close } = await servePage()
process.stdout.write(`${url}\n`)
process.once('SIGINT', () => void close())
