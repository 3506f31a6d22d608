import { type LedgerCocd } from '#contract/common'
import { type Day } from '#contract/values/dates'
import { type Paise } from '#contract/values/money'
import { expireWorthless } from '#sandbox/book/actions'
import { postMargin } from '#sandbox/book/entries'
import { bookMark } from '#sandbox/book/marks'
import { readMovement } from '#sandbox/book/voucher'
import {
	type Collateral,
	findCashMargin,
	findMarginRequired,
	type OpenPosition,
	type PledgedUnits,
	valueCollateral,
} from '#sandbox/rules/margin'
import { findLedger } from '#sandbox/rules/segments'
import { isMarketOpen } from '#sandbox/rules/sessions'
import { findContract, priceOn, underlyingPrice } from './market'
import { type Simulator, countHeld, payInFor, toPlace, readKind } from './trading-simulator'

function listOpenContracts(simulator: Simulator): string[] {
	return [...simulator.positions].filter(([id, queue]) => queue.length > 0 && simulator.market.contracts.has(id)).map(([id]) => id)
}

/**
 * On a contract's last day: an option in the money is exercised and a future is closed, at its price; one that the exchange would deliver
 * by an order of the broker. Returns the contracts that expire worthless, for the evening.
 */
export function closeExpiring(simulator: Simulator, day: Day): string[] {
	const worthless: string[] = []
	for (const id of listOpenContracts(simulator)) {
		const contract = simulator.market.contracts.get(id)
		const expiry = contract?.instrument.expiry
		if (!contract || !expiry || expiry > day) continue
		const held = countHeld(simulator, id)
		const price = priceOn(simulator.market, id, day)
		const planned = simulator.wishes
			.filter((wish) => wish.instrument === id)
			.reduce((sum, wish) => sum + (wish.side === 'B' ? wish.quantity : -wish.quantity), 0)
		const left = held + planned
		if (left === 0) continue
		if (contract.instrument.kind === 'OPTION' && price <= contract.underlying.tick) worthless.push(id)
		else {
			const isSquaredOff = contract.underlying.isDelivered && contract.instrument.kind === 'FUTURE'
			simulator.wishes.push({
				segment: contract.underlying.segment,
				instrument: id,
				side: left > 0 ? 'S' : 'B',
				quantity: Math.abs(left),
				price,
				isExpiry: !isSquaredOff,
				isSquaredOff,
				isExercise: contract.instrument.kind === 'OPTION',
			})
		}
	}
	return worthless
}

/** Writes off contracts that expired worthless, after the day's trades. */
export function expireAll(simulator: Simulator, day: Day, contracts: readonly string[]): void {
	for (const id of contracts) expireWorthless(simulator.book, simulator.positions, simulator.trader.code, id, day)
}

/** Marks every open future to the day's close; the difference is the day's gain or loss in cash. */
export function markFutures(simulator: Simulator, day: Day): void {
	const { book, market, positions, trader } = simulator
	for (const instrument of listOpenContracts(simulator)) {
		const contract = market.contracts.get(instrument)
		if (contract?.instrument.kind !== 'FUTURE' || !isMarketOpen(contract.underlying.segment, day)) continue
		const place = { client: trader.code, day, segment: contract.underlying.segment, instrument, price: priceOn(market, instrument, day) }
		bookMark(book, positions, place, contract.instrument.multiplier ?? 1)
	}
}

/** Securities whose margin pledge counts on a day: a pledge from the next day on, a release at once. */
function listPledged(simulator: Simulator, day: Day): PledgedUnits[] {
	const quantities = new Map<string, number>()
	for (const { client, kind, instrument, day: movedOn, quantity } of simulator.book.pledges) {
		if (client !== simulator.trader.code || kind !== 'MARGIN' || (movedOn === day && quantity > 0)) continue
		quantities.set(instrument, (quantities.get(instrument) ?? 0) + quantity)
	}
	return [...quantities].flatMap(([isin, quantity]) => {
		const security = simulator.market.instruments.get(isin)
		if (!security || quantity <= 0) return []
		return [{ isin, kind: readKind(security.kind), sector: security.sector, quantity, close: priceOn(simulator.market, isin, day) }]
	})
}

/**
 * The margin in paise that a ledger's open contracts need at a day's close, and the collateral for it. Only the equity ledger has
 * collateral.
 */
export function findMarginNeed(simulator: Simulator, day: Day, cocd: LedgerCocd): { margin: Paise; collateral: Collateral } {
	const open: OpenPosition[] = []
	for (const id of listOpenContracts(simulator)) {
		const contract = simulator.market.contracts.get(id)
		if (!contract || findLedger(contract.underlying.segment) !== cocd) continue
		const { kind, multiplier = 1 } = contract.instrument
		const sizes = { segment: contract.underlying.segment, quantity: countHeld(simulator, id), multiplier }
		const prices = { price: priceOn(simulator.market, id, day), underlying: underlyingPrice(simulator.market, contract, day) }
		open.push({ ...sizes, ...prices, kind: kind === 'OPTION' ? 'OPTION' : 'FUTURE' })
	}
	// The pledges are held by the clearing corporation of shares; commodity has another one.
	return {
		margin: findMarginRequired(open),
		collateral: valueCollateral(cocd === 'MCX' || open.length === 0 ? [] : listPledged(simulator, day)),
	}
}

/** Blocks or releases cash so that each ledger's margin account equals the need of the day's open positions, less pledges. */
export function adjustMargin(simulator: Simulator, day: Day): void {
	for (const cocd of ['NSE_CASH', 'MCX'] as const) {
		if (!isMarketOpen(cocd, day)) continue
		const { margin, collateral } = findMarginNeed(simulator, day, cocd)
		const blocked = readMovement(simulator.book, 'MARGIN', simulator.trader.code, cocd)
		if (margin === 0 && blocked === 0) continue
		const change = findCashMargin(margin, collateral) - blocked
		// Needed even when the margin has not changed: the day's marks may have cost more than the money in the ledger.
		payInFor(simulator, day, cocd, change)
		if (change === 0) continue
		postMargin(simulator.book, toPlace(simulator, day, cocd), change)
	}
}

/** The fields of an order for a contract on an underlying. */
export function createContractOrder(
	simulator: Simulator,
	root: string,
	day: Day,
	daysToLive: number,
	option?: { type: 'CE' | 'PE'; out: number },
) {
	const { instrument, underlying } = findContract(simulator.market, root, day, daysToLive, option)
	return { instrument: instrument.id, segment: underlying.segment, lot: instrument.lot ?? 1 }
}
