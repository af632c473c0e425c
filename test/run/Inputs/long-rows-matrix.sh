# A matrix of which rows 1 and 5 have nearly all entries.
echo '%%MatrixMarket matrix coordinate real general'
echo '9 70000 60003'
seq 1 30000 | sed 's/.*/1 & 0.1/'
echo '3 1 1'
echo '4 2 2'
seq 1 30000 | sed 's/.*/5 & 0.3/'
echo '9 9 1'
