import { useLocation } from '@remix-run/react'
import { type FormEvent, useEffect, useState } from 'react'
import { parseDay } from '#contract/values/dates'
import { useLive } from '~/components/use-live'
import { computeMargin, parseUnits } from '~/lib/margin'

/** `close` is the last price in rupees; `limits` are the most units, before a sale under `PRE`, after it under its day. */
type Row = { isin: string; close: number; limits: Record<string, number> }

/**
 * The number of ticked boxes of a form, and what the units typed beside them are worth in paise: at first of `chosen` and `typed`, then of
 * what the form holds; undefined where no script can count them. `tooMany` has the limit of each row that was typed above it.
 */
export function useSelected(rows: readonly Row[], chosen: readonly unknown[], typed: (isin: string) => string) {
	const { search } = useLocation()
	const isLive = useLive()
	const [now, setNow] = useState<FormData>()
	// A link may tick others.
	useEffect(() => setNow(undefined), [search])
	const onInput = ({ currentTarget, target }: FormEvent<HTMLFormElement>) => {
		// A quantity typed in a row selects the row.
		if (target instanceof HTMLInputElement && target.name.startsWith('qty.') && target.value) {
			const box = target.closest('tr')?.querySelector('[name=isin]')
			if (box instanceof HTMLInputElement) box.checked = true
		}
		setNow(new FormData(currentTarget))
	}
	const tooMany: Record<string, number> = {}
	if (!isLive) return { selected: undefined, tooMany, onInput }
	const ticked: readonly unknown[] = now ? now.getAll('isin') : chosen
	const readUnits = (isin: string) => parseUnits(now ? String(now.get(`qty.${isin}`)) : typed(isin)) ?? 0
	const value = rows
		.filter(({ isin }) => ticked.includes(isin))
		.reduce((sum, { isin, close }) => sum + computeMargin(readUnits(isin), close, 0), 0)
	const day = now?.get('trade_type') === 'POST' ? (parseDay(String(now.get('post_trade_date') ?? '')) ?? '') : 'PRE'
	// Only once something was typed: until then the server's own message stands.
	for (const { isin, limits } of now ? rows : []) {
		const { [day]: most } = limits
		if (most !== undefined && ticked.includes(isin) && readUnits(isin) > most) tooMany[isin] = most
	}
	return { selected: { count: ticked.length, value }, tooMany, onInput }
}
