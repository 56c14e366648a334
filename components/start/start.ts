import { pressAgain, startIslands } from './runtime';

startIslands();
pressAgain();
