import '@fontsource-variable/inter'
import { createTranslator, type AnnotationData } from '@parquetry/model'
import { setTheme, UiProvider } from '@parquetry/ui'
import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { ChartHost, type Mark, type MarkEvent } from '../index.tsx'
import { toFrames, type FixtureColumn } from '../../testing/frames.ts'

const forms = import.meta.glob<Record<string, unknown>>('../../*/fixtures/*.form.json', {
  eager: true,
  import: 'default',
})
const frames = import.meta.glob<Record<string, FixtureColumn[]>>('../../*/fixtures/*.frames.json', {
  eager: true,
  import: 'default',
})

const annotations = import.meta.glob<Record<string, AnnotationData>>('../../*/fixtures/*.annotations.json', {
  eager: true,
  import: 'default',
})

const catalog = import.meta.glob<Record<string, string>>('../../../../../messages/{charts,picture}.*.json', {
  import: 'default',
})

interface Shown {
  name: string
  form: Record<string, unknown>
  frames: ReturnType<typeof toFrames>
  layers: Record<string, AnnotationData> | undefined
}

const searchParams = new URLSearchParams(location.search)
const only = searchParams.get('only')?.split(',')
const all: Shown[] = Object.entries(forms)
  .map(([path, form]) => ({
    name: path.replace(/^.*\/(\w[\w-]*)\/fixtures\/(.*)\.form\.json$/, '$1/$2'),
    path,
    form,
  }))
  .filter(({ name }) => only?.includes(name) ?? true)
  .map(({ name, path, form }) => ({
    name,
    form,
    frames: toFrames(frames[path.replace('.form.', '.frames.')] ?? {}),
    layers: annotations[path.replace('.form.', '.annotations.')],
  }))

/** State that the tests read and change. */
declare global {
  interface Window {
    marks: { mark: Mark; event: MarkEvent }[]
    drawn: number
    /** Names of drawn fixtures; `expectedCount` is the number of all fixtures. */
    drawnNames: Set<string>
    expectedCount: number
    setForm: (change: Record<string, unknown>) => void
    setWidth: (width: number) => void
    setTheme: typeof setTheme
  }
}
window.marks = []
window.drawn = 0
window.drawnNames = new Set()
window.expectedCount = all.length
window.setTheme = setTheme

/** `?form={...}`: settings that override those of each fixture. */
const changed = JSON.parse(searchParams.get('form') ?? '{}') as Record<string, unknown>

function Tile({ name, form, frames: answer, layers }: Shown) {
  const [change, setChange] = useState(changed)
  const [width, setWidth] = useState(Number(searchParams.get('width') ?? (name.startsWith('big') ? 300 : 520)))
  const [state, setState] = useState<Record<string, unknown>>({})
  const [selected, setSelected] = useState<Record<string, unknown> | null>(null)
  const [shown, setShown] = useState({ form: { ...form, ...change }, change })
  if (shown.change !== change) setShown({ form: { ...form, ...change }, change })
  useEffect(() => {
    Object.assign(window, { setForm: setChange, setWidth })
  }, [])
  return (
    <figure style={{ width, margin: 0 }}>
      <div
        style={{
          height: Number(searchParams.get('height') ?? (name.startsWith('big') ? 200 : 300)),
          background: 'var(--surface)',
          borderRadius: 8,
        }}
      >
        <ChartHost
          form={shown.form}
          frames={searchParams.has('empty') ? { rows: { rows: 0, columns: [] } } : answer}
          title={name}
          annotations={layers}
          until={searchParams.has('until') ? Date.parse(searchParams.get('until') ?? '') : null}
          state={state}
          onState={setState}
          selected={selected}
          onMark={(mark, event) => {
            window.marks.push({ mark, event })
            if (event.kind === 'click') setSelected(mark.key)
          }}
          moves={() => !searchParams.has('still')}
          onDrawn={() => {
            window.drawn += 1
            window.drawnNames.add(name)
          }}
        />
      </div>
      <figcaption>{name}</figcaption>
    </figure>
  )
}

const navigation = { navigate: () => {}, href: (to: string) => to }

/** `?language=en-XA`: messages of another language, loaded as in the product. */
const language = searchParams.get('language') ?? 'en'
const texts = Object.entries(catalog).filter(([path]) => path.endsWith(`.${language}.json`))
const messages = Object.assign({}, ...(await Promise.all(texts.map(([, load]) => load())))) as Record<string, string>
const i18n = { locale: language, messages }

createRoot(document.querySelector('#root') as HTMLElement).render(
  <UiProvider navigation={navigation as never} i18n={{ ...i18n, translate: createTranslator(i18n) }}>
    <main style={{ display: 'flex', flexWrap: 'wrap', gap: 12, padding: 12, background: 'var(--bg)' }}>
      {all.map((shown) => (
        <Tile key={shown.name} {...shown} />
      ))}
    </main>
  </UiProvider>,
)
