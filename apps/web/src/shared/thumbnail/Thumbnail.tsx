import type { IconName } from '@parquetry/ui'
import { Suspense, useEffect, useRef, useState } from 'react'
import { lazyComponent } from '../lazy-component.tsx'
import type { ThumbnailTarget } from './thumbnail-target.ts'
import { sketchOf } from './Sketch.tsx'
import styles from './thumbnail.module.css'

const ChartPicture = lazyComponent(async () => (await import('./ChartPicture.tsx')).ChartPicture)
const DrawnPicture = lazyComponent(async () => (await import('./DrawnPicture.tsx')).DrawnPicture)
const DashboardPicture = lazyComponent(async () => (await import('./DashboardPicture.tsx')).DashboardPicture)

/**
 * Thumbnail of a card: an image that the server draws. Until it loads, or when there is none, a dashboard shows its layout and a
 * chart the sketch of its kind. Fetches nothing before it is visible.
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
            <DrawnPicture of={of} fallback={<DashboardPicture name={of.name} sketch={sketch} />} />
          )}
        </Suspense>
      ) : (
        sketch
      )}
    </div>
  )
}
