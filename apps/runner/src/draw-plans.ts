import type { InstanceLimits } from '@parquetry/engines/drivers'
import type { ToRunner } from '@parquetry/model'
import type { Job } from './job.ts'
import { frameOfPlan } from './run-plan.ts'
import { Sources } from './sources.ts'

/** Runs the plans of a chart and draws it. The chart code is loaded at the first drawing, and what it reads closed behind it. */
export async function drawPlans(
  { plans, viz_type, form, look }: Extract<ToRunner, { type: 'draw' }>,
  job: Job,
  limits: InstanceLimits,
): Promise<{ svg: string }> {
  const { drawChart } = await import('@parquetry/charts/draw')
  const sources = new Sources(limits)
  try {
    const frames = await Promise.all(
      Object.entries(plans).map(async ([name, plan]) => [name, await frameOfPlan(plan, job, sources)] as const),
    )
    await job.rest()
    return await drawChart(viz_type, Object.fromEntries(frames), form, look)
  } finally {
    await sources.close()
  }
}
