SELECT MAKEDATE(YEAR(`date`), 1) + INTERVAL QUARTER(`date`) - 1 QUARTER AS `date`,
       MAX(`temp_max`) AS `MAX(temp_max)`
FROM `seattle_weather`
GROUP BY MAKEDATE(YEAR(`date`), 1) + INTERVAL QUARTER(`date`) - 1 QUARTER
ORDER BY `date` IS NULL ASC, `date` ASC
LIMIT 60;
-- []
