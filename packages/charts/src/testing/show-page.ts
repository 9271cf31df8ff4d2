// `node packages/charts/src/testing/show-page.ts`: the page of all charts at an address of its own, until Ctrl-C.
// `?only=pie/weather,pie/many-industries` shows some, by their whole names, `&width=320&height=240` their size, `&language=en-XA`
// another language, `&form={"donut":false}` other settings. In its console `setTheme('dark')` changes the theme.
import { servePage } from './serve-page.ts'

const { url, close } = await servePage()
process.stdout.write(`${url}\n`)
process.once('SIGINT', () => void close())
