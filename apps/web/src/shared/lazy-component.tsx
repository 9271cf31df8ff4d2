import { lazy, type ComponentProps, type ComponentType } from 'react'
import { createChunkLoader } from './chunk-loader.ts'

/** A component whose code loads when it is first shown, see `part`: it stays hidden until its file loads. */
// oxlint-disable-next-line typescript/no-explicit-any -- what React itself takes
export function lazyComponent<T extends ComponentType<any>>(load: () => Promise<T>): ComponentType<ComponentProps<T>> {
  const loaded = createChunkLoader(load)
  const Part = lazy(async () => ({ default: await loaded() }))
  return function LazyPart(props: ComponentProps<T>) {
    // A part that failed to load is requested again each time it is shown.
    void loaded()
    return <Part {...props} />
  }
}
