import type { ReactNode } from 'react';
import styles from './island.module.scss';
import type { IslandName, IslandProps } from './registry';

type Props<N extends IslandName> = { name: N; props: IslandProps<N>; as?: 'div' | 'span'; children?: ReactNode };

/** A part of the page that the browser goes on with: what the server made of it stands until the island shows something beside it. */
export function Island<N extends IslandName>({ name, props, as: Tag = 'div', children }: Props<N>) {
  return (
    <Tag className={styles.island} data-island={name} data-props={JSON.stringify(props)}>
      {children && (
        <Tag className={styles.made} data-made="">
          {children}
        </Tag>
      )}
    </Tag>
  );
}
