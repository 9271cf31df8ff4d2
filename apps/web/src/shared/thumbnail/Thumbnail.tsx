import type { IconName } from '@parquetry/ui'
import { Suspense, useEffect, useRef, useState } from 'react'
import { lazyComponent } from '../lazy-component.tsx'
import type { ThumbnailTarget } from './thumbnail-target.ts'
import { sketchOf } from './Sketch.tsx'
import styles from './thumbnail.module.css'

const ChartPicture = lazyComponent(async () => (await import('./ChartPicture.tsx')).ChartPicture)
const DashboardPicture = lazyComponent(async () => (await import('./DashboardPicture.tsx')).DashboardPicture)

/**
 * Thumbnail of a card: for a chart, an image from the server's cached result; for a dashboard, its layout. Until it loads, or
 * when there is none, the sketch of its kind. Fetches nothing before it is visible.
 */
export function Thumbnail({ of, icon }: { of: ThumbnailTarget | null; icon: IconName }) {
  const box = useRef<HTMLDivElement>(null)
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true)
    })
    if (box.current) observer.observe(box.current)
    return () => observer.disconnect()
  }, [])
  const sketch = sketchOf(icon)
  return (
    <div ref={box} className={styles.box} aria-hidden="true">
      {isSeen && of ? (
        <Suspense fallback={sketch}>
          {of.kind === 'chart' ? (
            <ChartPicture id={of.id} sketch={sketch} />
          ) : (
            <DashboardPicture name={of.name} sketch={sketch} />
          )}
        </Suspense>
      ) : (
        sketch
      )}
    </div>
  )
}
