import { lazy, type ComponentProps, type ComponentType } from 'react'
import { createChunkLoader } from './chunk-loader.ts'

/** A component whose code comes when it is first shown, as `part` has it: it stays away as long as its file does. */
// oxlint-disable-next-line typescript/no-explicit-any -- what React itself takes
export function lazyComponent<T extends ComponentType<any>>(load: () => Promise<T>): ComponentType<ComponentProps<T>> {
  const loaded = createChunkLoader(load)
  const Part = lazy(async () => ({ default: await loaded() }))
  return function LazyPart(props: ComponentProps<T>) {
    // What did not come is asked for again each time that it is shown.
    void loaded()
    return <Part {...props} />
  }
}
