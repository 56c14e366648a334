import { createContext, useContext, useState } from 'react';
import type { FocusEvent, KeyboardEvent, ReactNode } from 'react';

/** Where a control stands in a grid. */
export type GridCell = { row: number; column: number };

type Stop = { active: string; setActive: (key: string) => void };

const RovingContext = createContext<Stop | null>(null);

export const cellKey = ({ row, column }: GridCell): string => `${row}-${column}`;

/** The attributes that make a button one of a grid, which is a single stop of the Tab key; none outside a grid. */
export function useRovingCell(cell: GridCell | undefined): { tabIndex?: number; 'data-cell'?: string } {
  const stop = useContext(RovingContext);
  if (!stop || !cell) return {};
  const key = cellKey(cell);
  return { tabIndex: key === stop.active ? 0 : -1, 'data-cell': key };
}

type RovingProps = { cells: readonly GridCell[]; className?: string | undefined; children: ReactNode };

/** A grid whose buttons the arrow keys, Home and End go through; with Control to its corners. `cells` are those that have one. */
export function Roving({ cells, className, children }: RovingProps) {
  const [chosen, setActive] = useState<string | null>(null);
  const known = cells.map(cellKey);
  const active = chosen !== null && known.includes(chosen) ? chosen : (known[0] ?? '');

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    const from = cells.find((cell) => cellKey(cell) === keyOf(event.target));
    const to = from && target(event, from, cells);
    if (!to) return;
    event.preventDefault();
    event.currentTarget.querySelector<HTMLElement>(`[data-cell="${cellKey(to)}"]`)?.focus();
  }

  function onFocus(event: FocusEvent): void {
    const key = keyOf(event.target);
    if (key) setActive(key);
  }

  return (
    <RovingContext value={{ active, setActive }}>
      <div className={className} onKeyDown={onKeyDown} onFocus={onFocus}>
        {children}
      </div>
    </RovingContext>
  );
}

const keyOf = (target: EventTarget) => (target instanceof HTMLElement ? (target.dataset.cell ?? null) : null);

function target({ key, ctrlKey }: KeyboardEvent, from: GridCell, cells: readonly GridCell[]): GridCell | undefined {
  const along = cells.filter(({ row }) => row === from.row).toSorted((a, b) => a.column - b.column);
  const near = (row: number | undefined) =>
    cells
      .filter((cell) => cell.row === row)
      .toSorted((a, b) => Math.abs(a.column - from.column) - Math.abs(b.column - from.column))[0];
  const rows = [...new Set(cells.map(({ row }) => row))].toSorted((a, b) => a - b);
  switch (key) {
    case 'ArrowRight':
      return along.find(({ column }) => column > from.column);
    case 'ArrowLeft':
      return along.findLast(({ column }) => column < from.column);
    case 'ArrowDown':
      return near(rows.find((row) => row > from.row));
    case 'ArrowUp':
      return near(rows.findLast((row) => row < from.row));
    case 'Home':
      return ctrlKey ? cells.filter(({ row }) => row === rows[0])[0] : along[0];
    case 'End':
      return ctrlKey ? cells.findLast(({ row }) => row === rows.at(-1)) : along.at(-1);
    default:
      return undefined;
  }
}
