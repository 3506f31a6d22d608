import { useLocation } from '@remix-run/react'
import { type FormEvent, useEffect, useState } from 'react'
import { parseDay } from '#contract/values/typed-day'
import { useLive } from '~/components/use-live'
import { computeValue, parseUnits } from '~/lib/margin'
import { keepInSight, tellMost } from './form-table'

/** `close` is the last price in rupees. `limits` are the maximum units: before a sale under `PRE`, after it under its day. */
type Row = { isin: string; close: number; limits: Record<string, number> }

/**
 * Returns the number of ticked rows of a form, and the value in paise of the units typed in them: first from `chosen` and `typed`, then
 * from the form. `selected` is undefined when no script runs. `tooMany` says of each row with more typed units than its limit how
 * many there may be.
 */
export function useSelected(rows: readonly Row[], chosen: readonly unknown[], typed: (isin: string) => string) {
	const { search } = useLocation()
	const isLive = useLive()
	const [now, setNow] = useState<FormData>()
	// A link may select other rows.
	useEffect(() => setNow(undefined), [search])
	const onInput = ({ currentTarget, target }: FormEvent<HTMLFormElement>) => {
		keepInSight(target)
		// A quantity typed in a row selects the row.
		if (target instanceof HTMLInputElement && target.name.startsWith('qty.') && target.value) {
			const box = target.closest('tr')?.querySelector('[name=isin]')
			if (box instanceof HTMLInputElement) box.checked = true
		}
		setNow(new FormData(currentTarget))
	}
	const tooMany: Record<string, string> = {}
	if (!isLive) return { selected: undefined, tooMany, onInput }
	const ticked: readonly unknown[] = now ? now.getAll('isin') : chosen
	const readUnits = (isin: string) => parseUnits(now ? String(now.get(`qty.${isin}`)) : typed(isin)) ?? 0
	const value = rows
		.filter(({ isin }) => ticked.includes(isin))
		.reduce((sum, { isin, close }) => sum + computeValue(readUnits(isin), close), 0)
	const day = now?.get('trade_type') === 'POST' ? (parseDay(String(now.get('post_trade_date') ?? '')) ?? '') : 'PRE'
	// Only after the first input: until then the messages of the server stay.
	for (const { isin, limits } of now ? rows : []) {
		const { [day]: most } = limits
		if (most !== undefined && ticked.includes(isin) && readUnits(isin) > most) tooMany[isin] = tellMost(most)
	}
	return { selected: { count: ticked.length, value }, tooMany, onInput }
}
